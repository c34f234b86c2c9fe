import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, patch, remove, watch } from '../map-steps.ts'

const PODS = '/api/v1/namespaces/{ns}/pods'
const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name, labels: { p: '1' }, ...metadata },
    spec: {
      schedulerName: 'nobody',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'example.com/a' }],
      ...spec,
    },
  },
})
/** Not watched: what happens to them takes the time of controllers. */
const LATER = { labels: { later: '1' } }
/** On a node without a kubelet: a pod that is to end there waits. */
const bound = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Step =>
  pod(name, { nodeName: '{ns}-nowhere', ...spec }, metadata)
const evict = (name: string, what: string, deleteOptions?: JsonObject): Step => ({
  name: what,
  method: 'POST',
  path: `${PODS}/${name}/eviction`,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...(deleteOptions && { deleteOptions }) },
})

export const steps: readonly Step[] = [
  pod('unbound'),
  remove('a pod without a node, on trial', `${PODS}/unbound?dryRun=All`),
  remove('a pod without a node goes at once', `${PODS}/unbound`),
  pod('unbound2'),
  remove('even with much grace', `${PODS}/unbound2?gracePeriodSeconds=100`),
  bound('a'),
  remove('a pod on a node, on trial', `${PODS}/a?dryRun=All`),
  remove('a pod on a node', `${PODS}/a`),
  get('it has its grace', `${PODS}/a`),
  remove('again', `${PODS}/a`),
  remove('with the same grace', `${PODS}/a?gracePeriodSeconds=30`),
  remove('with more grace', `${PODS}/a?gracePeriodSeconds=60`),
  remove('with less grace', `${PODS}/a?gracePeriodSeconds=10`),
  remove('with negative grace', `${PODS}/a?gracePeriodSeconds=-5`),
  patch('label it meanwhile', `${PODS}/a`, { metadata: { labels: { q: '1' } } }),
  patch('hold it meanwhile', `${PODS}/a`, { metadata: { finalizers: ['example.com/hold'] } }),
  remove('without grace', `${PODS}/a?gracePeriodSeconds=0`),
  get('it is gone', `${PODS}/a`),
  bound('b', { terminationGracePeriodSeconds: 5 }),
  remove('by the grace of its spec', `${PODS}/b`, {}),
  remove('by grace of the body', `${PODS}/b`, { gracePeriodSeconds: 2 }),
  remove('by its uid, without grace', `${PODS}/b`, { gracePeriodSeconds: 0, preconditions: { uid: '{create b.uid}' } }),
  bound('c', { terminationGracePeriodSeconds: 0 }),
  remove('one that asks for no grace', `${PODS}/c`),
  bound('d'),
  remove('without grace from the beginning', `${PODS}/d`, { gracePeriodSeconds: 0 }),
  bound('e', {}, { finalizers: ['example.com/hold'] }),
  remove('one that is held', `${PODS}/e?gracePeriodSeconds=0`),
  get('it waits without grace', `${PODS}/e`),
  remove('one that is held, again', `${PODS}/e`),
  patch('let it go', `${PODS}/e`, { metadata: { finalizers: null } }),
  bound('f', {}, { finalizers: ['example.com/hold'] }),
  remove('one that is held, with grace', `${PODS}/f`),
  patch('let it go before its grace is over', `${PODS}/f`, { metadata: { finalizers: null } }),
  get('its grace goes on', `${PODS}/f`),
  remove('end its grace', `${PODS}/f?gracePeriodSeconds=0`),
  bound('g'),
  patch('one that has succeeded', `${PODS}/g/status`, { status: { phase: 'Succeeded' } }),
  remove('goes at once', `${PODS}/g`),
  bound('h'),
  patch('one that has failed', `${PODS}/h/status`, { status: { phase: 'Failed' } }),
  remove('goes at once, too', `${PODS}/h?gracePeriodSeconds=20`),
  watch('what becomes of them', PODS, 'labelSelector=p&resourceVersion={create unbound.rv}'),
  bound('i', {}, LATER),
  remove('in the foreground', `${PODS}/i`, { propagationPolicy: 'Foreground', gracePeriodSeconds: 20 }),
  get('nothing is left to wait for', `${PODS}/i`, { until: (body) => !JSON.stringify(body).includes('foreground') }),
  remove('in the foreground, without grace', `${PODS}/i`, { gracePeriodSeconds: 0 }),
  get('it goes in its own time', `${PODS}/i`, { until: 404 }),
  pod('j', {}, LATER),
  evict('j', 'evict a pod without a node'),
  bound('k', {}, LATER),
  evict('k', 'evict a pod on a node on trial', { dryRun: ['All'] }),
  evict('k', 'evict a pod on a node by another uid', {
    preconditions: { uid: '11111111-1111-1111-1111-111111111111' },
  }),
  evict('k', 'evict a pod on a node'),
  get('it ends with grace', `${PODS}/k`),
  evict('k', 'evict it again', { gracePeriodSeconds: 0 }),
  bound('l', {}, LATER),
  bound('m', {}, LATER),
  remove('all on trial', `${PODS}?labelSelector=later&dryRun=All`),
  remove('all with grace', `${PODS}?labelSelector=later&fieldSelector=metadata.name!%3Dk&gracePeriodSeconds=7`),
  remove('all without grace', `${PODS}?labelSelector=later`, { gracePeriodSeconds: 0 }),
  get('none is left', PODS),
]
