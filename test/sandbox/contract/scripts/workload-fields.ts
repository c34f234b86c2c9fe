import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const container = { name: 'c', image: 'i:1' }
const labels = { a: 'b' }
const template = { metadata: { labels }, spec: { containers: [container] } }
const selector = { matchLabels: labels }
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const claim = (name: string, spec: JsonObject = claimSpec): JsonObject => ({ metadata: { name }, spec })
const mounting = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ ...container, volumeMounts: [{ name, mountPath: '/d' }] }], ...more },
})
const APPS = '/apis/apps/v1/namespaces/{ns}'

const made = (name: string, path: string, body: JsonValue, query = '?dryRun=All'): Step => ({
  name,
  method: 'POST',
  path: `${path}${query}`,
  body,
})
const set = (name: string, spec: JsonObject, query?: string): Step =>
  made(
    `StatefulSet: ${name}`,
    `${APPS}/statefulsets`,
    { metadata: { name: 'x' }, spec: { selector, template, replicas: 0, ...spec } },
    query,
  )
const daemon = (name: string, spec: JsonObject): Step =>
  made(`DaemonSet: ${name}`, `${APPS}/daemonsets`, { metadata: { name: 'x' }, spec: { selector, template, ...spec } })
const controller = (name: string, spec: JsonObject): Step =>
  made(`ReplicationController: ${name}`, '/api/v1/namespaces/{ns}/replicationcontrollers', {
    metadata: { name: 'x' },
    spec: { template, replicas: 0, ...spec },
  })
const job = (name: string, own: JsonObject, pods: JsonObject): Step =>
  made(`Job: ${name}`, '/apis/batch/v1/namespaces/{ns}/jobs', {
    metadata: { name: 'x', ...own },
    spec: { template: { ...pods, spec: { containers: [container], restartPolicy: 'Never' } } },
  })
const deployment = (name: string, spec: JsonObject): Step =>
  made(`Deployment: ${name}`, `${APPS}/deployments`, {
    metadata: { name: 'x' },
    spec: { selector, template, replicas: 0, ...spec },
  })

const patched = (name: string, path: string, body: JsonValue): Step => ({
  name,
  method: 'PATCH',
  path: `${path}?dryRun=All`,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
})
const applied = (name: string, path: string, body: JsonValue): Step => ({
  name,
  method: 'PATCH',
  path: `${path}?fieldManager=m&dryRun=All`,
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body,
})

export const steps: readonly Step[] = [
  set('mounts its claim', { volumeClaimTemplates: [claim('data')], template: mounting('data') }),
  set('mounts its claim in an init container', {
    volumeClaimTemplates: [claim('data')],
    template: {
      metadata: { labels },
      spec: {
        containers: [container],
        initContainers: [{ ...container, name: 'i', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
      },
    },
  }),
  set('mounts no claim of its', { volumeClaimTemplates: [claim('data')], template: mounting('other') }),
  set('has a volume of the name of its claim', {
    volumeClaimTemplates: [claim('data')],
    template: mounting('data', { volumes: [{ name: 'data', hostPath: {} }] }),
  }),
  set('has a volume behind its claim', {
    volumeClaimTemplates: [claim('data')],
    template: mounting('data', { volumes: [{ name: 'Bad', emptyDir: {} }] }),
  }),
  set('has a claim of a bad name', { volumeClaimTemplates: [claim('A_b')] }),
  set('has an empty claim', { volumeClaimTemplates: [claim('data', {})] }),
  set('has a claim of bad modes', {
    volumeClaimTemplates: [claim('data', { ...claimSpec, accessModes: ['X'], volumeMode: 'Y' })],
  }),
  set('has no name of a Service', {}),
  set('has a bad name of a Service', { serviceName: 'a/b' }),
  set('is kept by nobody', { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X', whenScaled: 'Y' } }),
  set('starts below zero', { ordinals: { start: -1 } }),
  set('has none at a time', { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  set('has too many at a time', { updateStrategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
  set('has a text at a time', { updateStrategy: { rollingUpdate: { maxUnavailable: 'x', partition: -1 } } }),
  set('has another strategy', { updateStrategy: { type: 'X', rollingUpdate: { partition: 1 } } }),
  set('rolls on deletion', { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
  set('has a deadline', {
    template: {
      metadata: { labels },
      spec: { containers: [container], activeDeadlineSeconds: 1, restartPolicy: 'Never' },
    },
  }),
  set('has a bad place in DNS', {
    template: { metadata: { labels }, spec: { containers: [container], hostname: 'A_b', subdomain: 'C_d' } },
  }),
  set('has bad labels', {
    template: {
      metadata: { labels: { ...labels, 'x y': 'z' }, annotations: { 'x y': 'z' } },
      spec: { containers: [container] },
    },
  }),
  set('has a selector of nothing', { selector: {} }),
  set('has a bad selector', { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } }),
  set('has no selector', { selector: null }),
  set('selects other pods', { selector: { matchLabels: { c: 'd' } } }),
  set('created', { volumeClaimTemplates: [claim('data')], template: mounting('data') }, ''),
  patched('StatefulSet: a changed template', `${APPS}/statefulsets/x`, {
    spec: { template: { spec: { terminationGracePeriodSeconds: 1 } } },
  }),
  patched('StatefulSet: a wrong template', `${APPS}/statefulsets/x`, {
    spec: { template: { spec: { dnsPolicy: 'X' } } },
  }),
  patched('StatefulSet: a changed name of a Service', `${APPS}/statefulsets/x`, { spec: { serviceName: 'a/b' } }),
  applied('StatefulSet: applied', `${APPS}/statefulsets/y`, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'y' },
    spec: { selector, template },
  }),
  daemon('as it is', {}),
  daemon('has a deadline', {
    template: { metadata: { labels }, spec: { containers: [container], activeDeadlineSeconds: 1 } },
  }),
  daemon('has no selector', { selector: null }),
  daemon('selects other pods', { selector: { matchLabels: { c: 'd' } } }),
  daemon('has a selector of nothing', { selector: {} }),
  daemon('has a bad selector', { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } }),
  daemon('surges and stops', { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
  daemon('neither surges nor stops', { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  daemon('surges too much', { updateStrategy: { rollingUpdate: { maxSurge: '101%', maxUnavailable: 0 } } }),
  daemon('has another strategy', { updateStrategy: { type: 'X', rollingUpdate: { maxSurge: 1 } } }),
  made(
    'DaemonSet: created',
    `${APPS}/daemonsets`,
    {
      metadata: { name: 'd' },
      spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { no: 'node' } } } },
    },
    '?dryRun=All',
  ),
  applied('DaemonSet: applied', `${APPS}/daemonsets/y`, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'y' },
    spec: { selector, template },
  }),
  controller('as it is', {}),
  controller('selects other pods', { selector: { c: 'd' } }),
  controller('has pods that end', {
    template: {
      metadata: { labels },
      spec: { containers: [container], restartPolicy: 'Never', activeDeadlineSeconds: 1 },
    },
  }),
  controller('has a variable twice', {
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            ...container,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
    },
  }),
  job('of the same labels', { labels: { a: 'b' } }, { metadata: { labels: { a: 'b' } } }),
  job('of more labels', { labels: { a: 'b', c: 'd' } }, { metadata: { labels: { a: 'b' } } }),
  job('of other labels', { labels: { a: 'b' } }, { metadata: { labels: { c: 'd' } } }),
  job('of no labels', {}, {}),
  job('of labels of its pods', {}, { metadata: { labels: { a: 'b' } } }),
  deployment('has another strategy', { strategy: { type: 'X' } }),
  deployment('has another strategy with shares', { strategy: { type: 'X', rollingUpdate: { maxSurge: 1 } } }),
  deployment('has a bad selector', { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } }),
]
