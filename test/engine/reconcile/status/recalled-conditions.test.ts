import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { recalledConditions } from '../../../../src/engine/reconcile/status/status-patch.ts'
import { ledgerWith } from '../../../support/ledger-with.ts'

const entry = (manager: string, fields: JsonObject): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  subresource: 'status',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:status': fields },
})
const ATOMIC = entry('rolebook', { 'f:conditions': {} })
const MAP = entry('rolebook', { 'f:conditions': { 'k:{"type":"Old"}': {} } })

const resource = (types: readonly string[], managedFields?: readonly ManagedFieldsEntry[]): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', ...(managedFields && { managedFields }) },
  status: { conditions: types.map((type) => ({ type, status: 'True' })) },
})

interface Case {
  readonly name: string
  readonly cached: KubeObject
  readonly live?: KubeObject
  readonly set?: readonly string[]
  readonly expected: readonly string[]
  readonly reads: number
}

const cases: readonly Case[] = [
  { name: 'nothing is at stake without such a condition', cached: resource(['Ready']), expected: ['Old'], reads: 0 },
  {
    name: 'nor when the run sets it',
    cached: resource(['Old'], [ATOMIC]),
    set: ['Old'],
    expected: ['Old'],
    reads: 0,
  },
  { name: 'a map of conditions shows whose they are', cached: resource(['Old'], [MAP]), expected: ['Old'], reads: 0 },
  {
    name: 'a status that no other client writes is all ours',
    cached: resource(['Old'], [ATOMIC]),
    live: resource(['Old'], [ATOMIC, { ...entry('person', {}), fieldsV1: { 'f:spec': {} } }]),
    expected: ['Old'],
    reads: 1,
  },
  {
    name: 'also on a server without managedFields',
    cached: resource(['Old']),
    live: resource(['Old']),
    expected: ['Old'],
    reads: 1,
  },
  {
    name: 'where another writes the status, nothing is',
    cached: resource(['Old'], [ATOMIC]),
    live: resource(['Old'], [ATOMIC, entry('other', { 'f:size': {} })]),
    expected: [],
    reads: 1,
  },
  { name: 'nor when the resource is gone', cached: resource(['Old'], [ATOMIC]), expected: [], reads: 1 },
]

describe('recalledConditions', () => {
  for (const { name, cached, live, set = [], expected, reads } of cases) {
    it(name, async () => {
      let asked = 0
      const client = {
        get: async () => {
          asked++
          return live
        },
      }
      const ledger = ledgerWith({ conditions: ['Old'] })
      const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
      const { signal } = new AbortController()
      expect(await recalledConditions({ client, ledger, gvk, resource: cached, set, signal })).to.deep.equal(expected)
      expect(asked).to.equal(reads)
    })
  }
})
