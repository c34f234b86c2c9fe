import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { METADATA } from '../map-steps.ts'

const container = { name: 'a', image: 'a' }
const tried = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/pods?dryRun=All',
  // The volume of the token is named at random.
  headers: METADATA,
  body: { metadata: { name: 'p' }, spec: { containers: [container], ...spec } },
})
const secured = (name: string, securityContext: JsonObject): Step => tried(name, { securityContext })
const one = (name: string, more: JsonObject): Step => tried(name, { containers: [{ ...container, ...more }] })
const volume = (name: string, source: JsonObject): Step => tried(name, { volumes: [{ name: 'v', ...source }] })
const token = (name: string, serviceAccountToken: JsonObject): Step =>
  volume(`a token ${name}`, { projected: { sources: [{ serviceAccountToken }] } })

export const steps: readonly Step[] = [
  tried('an ephemeral container', { ephemeralContainers: [{ name: 'e', image: 'e' }] }),
  tried('gates', { schedulingGates: [{ name: 'a' }, { name: 'example.com/b' }] }),
  tried('a gate twice', { schedulingGates: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }),
  tried('gates without a good name', { schedulingGates: [{ name: '' }, { name: 'a b' }] }),
  tried('a gate on a node', { schedulingGates: [{ name: 'a' }], nodeName: 'n' }),
  one('policies of resizing', {
    resizePolicy: [
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      { resourceName: 'memory', restartPolicy: 'RestartContainer' },
    ],
  }),
  one('a policy of resizing twice', {
    resizePolicy: [
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    ],
  }),
  one('a policy of resizing another resource', {
    resizePolicy: [{ resourceName: 'disk', restartPolicy: 'NotRequired' }],
  }),
  one('another policy of resizing', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'Never' }] }),
  one('a policy of resizing nothing', { resizePolicy: [{ resourceName: '', restartPolicy: 'NotRequired' }] }),
  one('no policy of resizing', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: '' }] }),
  tried('a policy of restarts in a pod that does not restart', {
    restartPolicy: 'Never',
    containers: [{ ...container, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }],
  }),
  secured('another policy of groups', { fsGroupChangePolicy: 'Sometimes' }),
  secured('no policy of groups', { fsGroupChangePolicy: '' }),
  secured('a policy of groups', { fsGroup: 1, fsGroupChangePolicy: 'OnRootMismatch' }),
  secured('more groups', { supplementalGroups: [1, -1, 2_147_483_648] }),
  secured('another policy of more groups', { supplementalGroupsPolicy: 'Some' }),
  secured('a profile', { seccompProfile: { type: 'RuntimeDefault' } }),
  secured('another profile', { seccompProfile: { type: 'Default' } }),
  secured('a profile of no type', { seccompProfile: { type: '' } }),
  secured('a profile of the node', { seccompProfile: { type: 'Localhost', localhostProfile: 'a/b' } }),
  secured('a profile of the node without a path', { seccompProfile: { type: 'Localhost' } }),
  secured('a profile of the node upwards', { seccompProfile: { type: 'Localhost', localhostProfile: '../a' } }),
  secured('a profile at the root', { seccompProfile: { type: 'Localhost', localhostProfile: '/a' } }),
  secured('a path of a profile that has none', {
    seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' },
  }),
  one('another profile of a container', { securityContext: { seccompProfile: { type: 'Default' } } }),
  tried('users of its own on the network of the node', { hostUsers: false, hostNetwork: true }),
  tried('users of its own among the processes of the node', { hostUsers: false, hostPID: true, hostIPC: true }),
  token('for an hour', { path: 'a', expirationSeconds: 3600 }),
  token('for a minute', { path: 'a', expirationSeconds: 60 }),
  token('for ever', { path: 'a', expirationSeconds: 4_294_967_297 }),
  token('for its usual time', { path: 'a' }),
  token('without a path', { path: '' }),
  token('upwards', { path: '../a' }),
  token('at the root', { path: '/a' }),
  token('in two dots', { path: '..a' }),
  volume('an image', { image: { reference: 'a' } }),
  volume('an image without a reference', { image: {} }),
  volume('an image by another policy', { image: { reference: 'a', pullPolicy: 'Sometimes' } }),
]
