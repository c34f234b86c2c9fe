import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { leavesEmpty } from '../../../../src/sandbox/apiserver/write/unsettled.ts'
import type { WriteRequest } from '../../../../src/sandbox/apiserver/write/write-request.ts'

const CASES: readonly {
  readonly name: string
  readonly applied: JsonObject
  readonly stored?: JsonObject
  readonly subresource?: string
  readonly custom?: boolean
  readonly leaves: boolean
}[] = [
  { name: 'empty labels', applied: { labels: {} }, leaves: true },
  { name: 'an empty list of finalizers', applied: { finalizers: [] }, leaves: true },
  {
    name: 'empty labels beside those of others',
    applied: { labels: {} },
    stored: { labels: { a: 'b' } },
    leaves: false,
  },
  { name: 'labels that admission takes away', applied: { labels: { a: 'b' } }, leaves: false },
  { name: 'labels that are null', applied: { labels: null }, leaves: true },
  { name: 'no labels', applied: {}, leaves: false },
  { name: 'empty labels of a subresource', applied: { labels: {} }, subresource: 'status', leaves: false },
  { name: 'empty labels of a built-in kind', applied: { labels: {} }, custom: false, leaves: false },
]

describe('an apply to a custom resource', () => {
  for (const { name, applied, stored = {}, subresource = '', custom = true, leaves } of CASES) {
    it(`${leaves ? 'leaves' : 'does not leave'} something empty in the storage: ${name}`, () => {
      const request = { resource: { custom }, subresource } as WriteRequest
      expect(leavesEmpty(request, objectWith(applied), objectWith(stored))).to.equal(leaves)
    })
  }
})

function objectWith(metadata: JsonObject): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata }
}
