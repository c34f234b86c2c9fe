import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, patch, remove } from '../map-steps.ts'

const HOLD = 'example.com/hold'
const owner = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `{create ${name}.uid}`,
  ...more,
})
const BLOCK = { blockOwnerDeletion: true }
const owned = (name: string, ...ownerReferences: JsonObject[]): Step => createMap(name, { ownerReferences })
const held = (name: string, ...ownerReferences: JsonObject[]): Step =>
  createMap(name, { ownerReferences, finalizers: [HOLD] })
const at = (name: string): string => `${MAPS}/${name}`
const goes = (name: string): Step => get(`${name} goes`, at(name), { until: 404 })
const free = (name: string): Step => get(`${name} is free`, at(name), { until: isFree })
const ends = (name: string): Step => get(`${name} ends`, at(name), { until: isEnding })
const release = (name: string): Step => patch(`release ${name}`, at(name), { metadata: { finalizers: null } })
const drop = (name: string, propagationPolicy: string): Step =>
  remove(`delete ${name} by ${propagationPolicy}`, at(name), { propagationPolicy })

export const steps: readonly Step[] = [
  // A chain, from its head, in each way.
  ...['Background', 'Foreground'].flatMap((policy) => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${policy.toLowerCase()}-${name}`) as [string, string, string]
    return [
      createMap(a),
      owned(b, owner(a, BLOCK)),
      owned(c, owner(b, BLOCK)),
      drop(a, policy),
      goes(a),
      goes(b),
      goes(c),
    ]
  }),
  createMap('orphan-a'),
  owned('orphan-b', owner('orphan-a', BLOCK)),
  owned('orphan-c', owner('orphan-b', BLOCK)),
  drop('orphan-a', 'Orphan'),
  goes('orphan-a'),
  free('orphan-b'),
  get('a child of an orphan stays', at('orphan-c')),
  drop('orphan-b', 'Orphan'),
  goes('orphan-b'),
  free('orphan-c'),

  // A foreground deletion waits only for the dependents that block it.
  createMap('front'),
  held('blocker', owner('front', BLOCK)),
  held('bystander', owner('front')),
  drop('front', 'Foreground'),
  ends('blocker'),
  ends('bystander'),
  get('front waits', at('front')),
  remove('delete front again', at('front')),
  remove('delete front in the background now', at('front'), { propagationPolicy: 'Background' }),
  release('bystander'),
  goes('bystander'),
  release('blocker'),
  goes('blocker'),
  goes('front'),
  createMap('front2'),
  held('bystander2', owner('front2')),
  drop('front2', 'Foreground'),
  goes('front2'),
  ends('bystander2'),
  release('bystander2'),
  goes('bystander2'),
  createMap('front3'),
  held('unblocked', owner('front3', BLOCK)),
  drop('front3', 'Foreground'),
  ends('unblocked'),
  patch('block no more', at('unblocked'), {
    metadata: { ownerReferences: [owner('front3', { blockOwnerDeletion: false })] },
  }),
  goes('front3'),
  release('unblocked'),
  createMap('front4'),
  drop('front4', 'Foreground'),
  get('without dependents, front4 goes', at('front4'), { until: 404 }),

  // A chain that blocks: the last goes first.
  createMap('top'),
  owned('middle', owner('top', BLOCK)),
  held('bottom', owner('middle', BLOCK)),
  drop('top', 'Foreground'),
  ends('bottom'),
  get('the middle waits', at('middle'), { until: isEnding }),
  get('the top waits', at('top')),
  release('bottom'),
  goes('middle'),
  goes('top'),

  // Several owners.
  createMap('one'),
  createMap('two'),
  owned('shared', owner('one', BLOCK), owner('two', BLOCK)),
  drop('one', 'Background'),
  get('one owner is left', at('shared'), { until: (body) => !JSON.stringify(body).includes('"name":"one"') }),
  drop('two', 'Foreground'),
  goes('shared'),
  goes('two'),
  createMap('three'),
  createMap('four'),
  owned('common', owner('three', BLOCK), owner('four', BLOCK)),
  drop('three', 'Foreground'),
  goes('three'),
  get('four still owns', at('common')),
  drop('four', 'Orphan'),
  goes('four'),
  free('common'),
  createMap('five'),
  held('five-a', owner('five')),
  drop('five', 'Background'),
  goes('five'),
  ends('five-a'),
  patch('its owner is forgotten too late', at('five-a'), { metadata: { ownerReferences: null } }),
  release('five-a'),
  goes('five-a'),

  // Owners that are held themselves.
  held('six'),
  owned('six-a', owner('six')),
  drop('six', 'Background'),
  get('six-a stays while six does', at('six-a')),
  release('six'),
  goes('six'),
  goes('six-a'),
  held('seven'),
  owned('seven-a', owner('seven')),
  drop('seven', 'Orphan'),
  free('seven-a'),
  get('seven waits for its own finalizer', at('seven'), {
    until: (body) => !JSON.stringify(body).includes('"orphan"'),
  }),
  release('seven'),
  goes('seven'),
  createMap('eight', { finalizers: ['orphan'] }),
  owned('eight-a', owner('eight')),
  remove('delete eight as its finalizer says', at('eight')),
  goes('eight'),
  free('eight-a'),
  createMap('nine', { finalizers: ['orphan'] }),
  owned('nine-a', owner('nine')),
  drop('nine', 'Background'),
  goes('nine'),
  goes('nine-a'),
  createMap('ten'),
  owned('ten-a', owner('ten')),
  remove('delete ten the old way', `${at('ten')}?orphanDependents=true`),
  goes('ten'),
  free('ten-a'),
  createMap('eleven'),
  owned('eleven-a', owner('eleven')),
  remove('delete eleven the other old way', `${at('eleven')}?orphanDependents=false`),
  goes('eleven-a'),
  createMap('twelve', { labels: { dozen: '1' } }),
  owned('twelve-a', owner('twelve', BLOCK)),
  remove('delete a collection in the foreground', `${MAPS}?labelSelector=dozen&propagationPolicy=Foreground`),
  goes('twelve-a'),
  goes('twelve'),
  remove('delete what was left', `${MAPS}?fieldSelector=metadata.name!%3Dkube-root-ca.crt`),
]

function isFree(body: unknown): boolean {
  return !JSON.stringify(body).includes('"ownerReferences":[')
}

function isEnding(body: unknown): boolean {
  return JSON.stringify(body).includes('"deletionTimestamp"')
}
