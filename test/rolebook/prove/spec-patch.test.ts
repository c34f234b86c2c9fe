import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { patchBetween, patched, withoutTexts } from '../../../src/rolebook/prove/spec-patch.ts'

const pairs: readonly [string, JsonObject, JsonObject, JsonObject][] = [
  ['nothing', { a: 1 }, { a: 1 }, {}],
  ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
  ['a field less', { a: 1, b: 2 }, { a: 1 }, { b: null }],
  ['a field further down', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  ['an object that was not there', {}, { a: { b: 1 } }, { a: { b: 1 } }],
  ['another list', { a: [1, 2] }, { a: [2] }, { a: [2] }],
]

describe('the patch between two specs', () => {
  for (const [name, from, to, patch] of pairs) {
    it(`is ${name}, and makes the second of the first`, () => {
      expect(patchBetween(from, to)).to.deep.equal(patch)
      expect(patched(from, patch)).to.deep.equal(to)
    })
  }
})

it('the patch from a spec to none is null', () => {
  expect(patchBetween({ a: 1 }, undefined)).to.equal(null)
})

it('a spec without made-up texts has no fields and items of them', () => {
  const spec = { host: 'made', tags: ['made', 'web'], deep: { path: 'made', size: 1 } }
  expect(withoutTexts(spec, new Set(['made']))).to.deep.equal({ tags: ['web'], deep: { size: 1 } })
})
