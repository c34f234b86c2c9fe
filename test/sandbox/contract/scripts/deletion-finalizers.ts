import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, patch, remove, watch } from '../map-steps.ts'

const HOLD = 'example.com/hold'
const held = (name: string, ...finalizers: string[]): Step =>
  createMap(name, { labels: { h: '1' }, finalizers: [HOLD, ...finalizers] })
const change = (what: string, name: string, body: JsonObject): Step => patch(what, `${MAPS}/${name}`, body)
const release = (name: string): Step => change(`release ${name}`, name, { metadata: { finalizers: null } })
const created = (name: string, finalizers: readonly string[]): Step => ({
  ...createMap(name, { finalizers: [...finalizers] }),
  name: `create with finalizers ${JSON.stringify(finalizers)}`,
})
const POLICIES = ['Foreground', 'Background', 'Orphan']

export const steps: readonly Step[] = [
  { ...held('a'), as: 'the first' },
  remove('delete a on trial', `${MAPS}/a?dryRun=All`),
  remove('delete a', `${MAPS}/a`),
  get('a waits', `${MAPS}/a`),
  remove('delete a again', `${MAPS}/a`),
  remove('delete a in the foreground now', `${MAPS}/a`, { propagationPolicy: 'Foreground' }),
  remove('delete a in the background now', `${MAPS}/a`, { propagationPolicy: 'Background' }),
  remove('delete a by another uid', `${MAPS}/a`, { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
  remove('delete a by an old version', `${MAPS}/a`, { preconditions: { resourceVersion: '{the first.rv}' } }),
  remove('delete a without grace', `${MAPS}/a?gracePeriodSeconds=0`),
  { ...createMap('a'), name: 'create a meanwhile' },
  change('change data of a', 'a', { data: { n: '1' } }),
  change('add a finalizer to a', 'a', { metadata: { finalizers: [HOLD, 'example.com/more'] } }),
  change('replace the finalizer of a', 'a', { metadata: { finalizers: ['example.com/other'] } }),
  change('repeat a finalizer of a', 'a', { metadata: { finalizers: [HOLD, HOLD] } }),
  change('set another time of deletion', 'a', { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
  change('take the time of deletion back', 'a', { metadata: { deletionTimestamp: null } }),
  change('set grace', 'a', { metadata: { deletionGracePeriodSeconds: 30 } }),
  patch('release a on trial', `${MAPS}/a?dryRun=All`, { metadata: { finalizers: null } }),
  get('a waits still', `${MAPS}/a`),
  release('a'),
  get('a is gone', `${MAPS}/a`),
  { ...createMap('a', { labels: { h: '1' } }), name: 'create a anew' },
  held('b', 'example.com/second'),
  remove('delete b', `${MAPS}/b`),
  change('drop one finalizer of b', 'b', { metadata: { finalizers: ['example.com/second'] } }),
  change('drop the other', 'b', { metadata: { finalizers: [] } }),
  held('c'),
  release('c'),
  get('c stays: nobody deleted it', `${MAPS}/c`),
  ...POLICIES.flatMap((policy) => {
    const name = policy.toLowerCase()
    return [
      held(name),
      remove(`delete ${name} by its policy`, `${MAPS}/${name}`, { propagationPolicy: policy }),
      get(`${name} waits for one finalizer`, `${MAPS}/${name}`, { until: waitsForOne }),
      release(name),
      get(`${name} is gone`, `${MAPS}/${name}`, { until: 404 }),
    ]
  }),
  watch('what becomes of them', MAPS, 'labelSelector=h&resourceVersion={the first.rv}'),
  created('f1', ['orphan']),
  remove('delete what is to leave orphans', `${MAPS}/f1`),
  get('it goes', `${MAPS}/f1`, { until: 404 }),
  created('f2', ['foregroundDeletion']),
  remove('delete what is to go last', `${MAPS}/f2`),
  get('it goes, too', `${MAPS}/f2`, { until: 404 }),
  created('f3', ['orphan', 'foregroundDeletion']),
  created('f4', ['nobody']),
  created('f5', ['kubernetes']),
  created('f6', ['Example.com/x']),
  created('f7', ['a/b/c']),
  created('f8', ['']),
  created('f9', [HOLD, HOLD]),
  created('f10', ['kubernetes.io/pv-protection']),
  {
    ...createMap('born-dead', { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 }),
    name: 'create with a time of deletion',
  },
]

function waitsForOne(body: unknown): boolean {
  return JSON.stringify(body).includes('"finalizers":["example.com/hold"]')
}
