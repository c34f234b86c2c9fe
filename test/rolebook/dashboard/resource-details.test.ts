import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Role } from '../../../src/engine/role/role.ts'
import { detailsOf, readEvents } from '../../../src/rolebook/dashboard/resource-details.ts'
import type { ResourceDetails } from '../../../src/rolebook/ui/model.ts'

const AT = '2026-01-01T00:00:00Z'
const LATER = '2026-01-01T00:00:01Z'
const ROLE = { name: 'shop', tasks: [] } as unknown as Role
const SHOP: KubeObject = {
  ...{ apiVersion: 'example.com/v1', kind: 'Shop' },
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
}

interface Given {
  readonly resource?: KubeObject
  readonly objects?: readonly KubeObject[]
  readonly items?: readonly KubeObject[]
}

function details({ resource = SHOP, objects = [], items = [] }: Given): ResourceDetails {
  const history = { runs: [], skipped: 0 }
  return detailsOf({ resource, role: ROLE, objects, history, events: { items }, now: Date.parse(AT) })
}

describe('the conditions of a resource', () => {
  const cases = [
    {
      name: 'are shown as they are',
      condition: { reason: 'Waiting', message: 'for a Secret', lastTransitionTime: AT },
      shown: { reason: 'Waiting', message: 'for a Secret', since: AT },
    },
    {
      name: 'may have nothing but type and status',
      condition: {},
      shown: { reason: '', message: '', since: '' },
    },
  ]
  for (const { name, condition, shown } of cases) {
    it(name, () => {
      const conditions = [{ type: 'Ready', status: 'False', ...condition }]
      const found = details({ resource: { ...SHOP, status: { conditions } } }).conditions
      expect(found).to.deep.equal([{ type: 'Ready', status: 'False', ...shown }])
    })
  }
})

describe('the objects of a resource', () => {
  const database = (metadata: object, status: JsonObject): KubeObject => ({
    ...{ apiVersion: 'example.com/v1', kind: 'Database', status },
    metadata: { name: 'db', namespace: 'default', uid: 'd', creationTimestamp: AT, generation: 2, ...metadata },
  })
  const node = {
    ...{ group: 'example.com', kind: 'Database', namespace: 'default', name: 'db', uid: 'd' },
    ...{ created: AT, finalizers: [] },
  }
  const cases = [
    {
      name: 'are ready when their controller says so',
      object: database({}, { observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] }),
      shown: { ...node, health: 'ready', message: '' },
    },
    {
      name: 'are not ready while their status is about a former generation',
      object: database({}, { observedGeneration: 1 }),
      shown: { ...node, health: 'notReady', message: 'its controller has not seen it yet' },
    },
    {
      name: 'show since when they are being deleted, and what keeps them',
      object: database({ deletionTimestamp: LATER, finalizers: ['example.com/hold'] }, {}),
      shown: {
        ...node,
        ...{ health: 'notReady', message: 'it is being deleted', deleting: LATER, finalizers: ['example.com/hold'] },
      },
    },
  ]
  for (const { name, object, shown } of cases) {
    it(name, () => expect(details({ objects: [object] }).objects).to.deep.equal([shown]))
  }
})

describe('the events of a resource', () => {
  const event = (fields: JsonObject): KubeObject => ({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'default', creationTimestamp: AT } },
    ...{ type: 'Warning', reason: 'Failed', message: 'no' },
    ...fields,
  })
  const line = { type: 'Warning', reason: 'Failed', message: 'no', count: 1, at: AT, from: '' }
  const cases = [
    {
      name: 'that client libraries write count, and name the component as their source',
      fields: { count: 3, lastTimestamp: LATER, eventTime: null, source: { component: 'kubelet' } },
      shown: { ...line, count: 3, at: LATER, from: 'kubelet' },
    },
    {
      name: 'of the newer API have one time, and name a reporter',
      fields: { lastTimestamp: null, eventTime: LATER, source: {}, reportingComponent: 'rolebook' },
      shown: { ...line, at: LATER, from: 'rolebook' },
    },
    { name: 'that a person wrote have the time at which they were made', fields: {}, shown: line },
  ]
  for (const { name, fields, shown } of cases) {
    it(name, () => expect(details({ items: [event(fields)] }).events).to.deep.equal([shown]))
  }

  it('have the latest first', () => {
    const items = [AT, LATER, AT].map((lastTimestamp) => event({ lastTimestamp }))
    expect(details({ items }).events.map(({ at }) => at)).to.deep.equal([LATER, AT, AT])
  })

  it('are none, with the reason, while the server does not answer', async () => {
    const client = { list: () => Promise.reject(new Error('no answer')) }
    expect(await readEvents(SHOP, { client })).to.deep.equal({ items: [], problem: 'cannot read events: no answer' })
  })
})
