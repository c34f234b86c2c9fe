import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { type DesiredStatus, statusPatch } from '../../../../src/engine/reconcile/status/status-patch.ts'

const NOW = '2026-01-02T00:00:00Z'
const THEN = '2026-01-01T00:00:00Z'

function resource(status: JsonObject, owned: JsonObject = {}): KubeObject {
  const entry = { manager: 'rolebook', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': owned } }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', managedFields: [entry] }, status }
}

/** With one more entry of ours, as a write in another version leaves it. */
function withEntry(live: KubeObject, owned: JsonObject): KubeObject {
  const [entry] = live.metadata.managedFields ?? []
  const other = { ...entry, apiVersion: 'example.com/v1beta1', fieldsV1: { 'f:status': owned } }
  return { ...live, metadata: { ...live.metadata, managedFields: [...(live.metadata.managedFields ?? []), other] } }
}

function withoutManagers(live: KubeObject): KubeObject {
  const { managedFields: _managedFields, ...metadata } = live.metadata
  return { ...live, metadata }
}

const READY = { type: 'Ready', status: 'True', reason: 'Ready', message: 'm' }
const OLD_READY = { ...READY, observedGeneration: 1, lastTransitionTime: THEN }
const THEIRS = { type: 'Theirs', status: 'True', lastTransitionTime: THEN }
const byType = (type: string): string => `k:{"type":"${type}"}`

const cases: { name: string; live: KubeObject; desired: Partial<DesiredStatus>; patch: JsonObject | undefined }[] = [
  { name: 'nothing differs', live: resource({ a: 1 }), desired: { fields: { a: 1 } }, patch: undefined },
  { name: 'a value differs', live: resource({ a: 1, b: 2 }), desired: { fields: { a: 3 } }, patch: { a: 3 } },
  {
    name: 'only what differs inside a map',
    live: resource({ m: { a: 1, b: 2 } }),
    desired: { fields: { m: { a: 1, b: 3 } } },
    patch: { m: { b: 3 } },
  },
  { name: 'lists as a whole', live: resource({ l: [1] }), desired: { fields: { l: [1, 2] } }, patch: { l: [1, 2] } },
  {
    name: 'a complete run removes our field',
    live: resource({ a: 1 }, { 'f:a': {} }),
    desired: { complete: true },
    patch: { a: null },
  },
  {
    name: 'also one that we wrote in another version of the kind',
    live: withEntry(resource({ a: 1, b: 2 }, { 'f:a': {} }), { 'f:b': {} }),
    desired: { complete: true },
    patch: { a: null, b: null },
  },
  {
    name: 'and not that of others',
    live: resource({ a: 1, b: 1 }, { 'f:a': {} }),
    desired: { complete: true },
    patch: { a: null },
  },
  { name: 'nor twice', live: resource({}, { 'f:a': {} }), desired: { complete: true }, patch: undefined },
  { name: 'an incomplete run removes nothing', live: resource({ a: 1 }, { 'f:a': {} }), desired: {}, patch: undefined },
  {
    name: 'of a shared map only our keys go',
    live: resource({ m: { a: 1, b: 2 } }, { 'f:m': { 'f:a': {} } }),
    desired: { complete: true },
    patch: { m: { a: null } },
  },
  {
    name: 'a map that is ours goes as a whole',
    live: resource({ m: { a: 1 } }, { 'f:m': { '.': {}, 'f:a': {} } }),
    desired: { complete: true },
    patch: { m: null },
  },
  {
    name: 'the generation',
    live: resource({ observedGeneration: 1 }),
    desired: { observedGeneration: 2 },
    patch: { observedGeneration: 2 },
  },
  {
    name: 'a first condition',
    live: resource({}),
    desired: { conditions: { Ready: READY }, observedGeneration: 1 },
    patch: { observedGeneration: 1, conditions: [{ ...READY, observedGeneration: 1, lastTransitionTime: NOW }] },
  },
  {
    name: 'an equal condition',
    live: resource({ observedGeneration: 1, conditions: [OLD_READY] }),
    desired: { conditions: { Ready: READY }, observedGeneration: 1 },
    patch: undefined,
  },
  {
    name: 'another reason keeps the time, those of others stay',
    live: resource({ conditions: [THEIRS, OLD_READY] }),
    desired: { conditions: { Ready: { ...READY, reason: 'Other' } } },
    patch: { conditions: [THEIRS, { ...READY, reason: 'Other', lastTransitionTime: THEN }] },
  },
  {
    name: 'another status moves the time',
    live: resource({ conditions: [OLD_READY] }),
    desired: { conditions: { Ready: { ...READY, status: 'False' } } },
    patch: { conditions: [{ ...READY, status: 'False', lastTransitionTime: NOW }] },
  },
  {
    name: 'a condition of the engine that is over goes at once',
    live: resource({ conditions: [OLD_READY, { type: 'Stalled', status: 'True' }] }),
    desired: { conditions: { Ready: READY }, observedGeneration: 1 },
    patch: { observedGeneration: 1, conditions: [OLD_READY] },
  },
  {
    name: 'a condition of a task that is over goes with a complete run',
    live: resource(
      { conditions: [OLD_READY, { type: 'Checked', status: 'True' }] },
      { 'f:conditions': { [byType('Checked')]: {} } },
    ),
    desired: { conditions: { Ready: { ...READY, observedGeneration: 1 } }, complete: true },
    patch: { conditions: [{ ...READY, lastTransitionTime: THEN }] },
  },
  {
    name: 'in an atomic list, those that tasks are known to have set go with a complete run',
    live: resource({ conditions: [THEIRS, OLD_READY, { type: 'Checked', status: 'True' }] }, { 'f:conditions': {} }),
    desired: { complete: true, taskConditions: new Set(['Checked']) },
    patch: { conditions: [THEIRS, OLD_READY] },
  },
  {
    name: 'and nothing while that is not known',
    live: withoutManagers(resource({ conditions: [THEIRS, { type: 'Checked', status: 'True' }] })),
    desired: { complete: true },
    patch: undefined,
  },
  {
    name: 'conditions of tasks bring their own times and generations, or get ours',
    live: resource({}),
    desired: {
      fields: {
        conditions: [
          { type: 'A', status: 'True', lastTransitionTime: THEN },
          { type: 'B', status: 'True' },
          'no condition',
        ],
      },
      observedGeneration: 3,
    },
    patch: {
      observedGeneration: 3,
      conditions: [
        { type: 'A', status: 'True', observedGeneration: 3, lastTransitionTime: THEN },
        { type: 'B', status: 'True', observedGeneration: 3, lastTransitionTime: NOW },
      ],
    },
  },
]

describe('statusPatch', () => {
  for (const { name, live, desired, patch } of cases) {
    it(name, () => {
      const result = statusPatch(live, { fields: {}, complete: false, now: NOW, ...desired })
      expect(result && JSON.parse(JSON.stringify(result))).to.deep.equal(patch)
    })
  }
})
