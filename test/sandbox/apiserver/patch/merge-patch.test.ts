import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { applyMergePatch } from '../../../../src/sandbox/apiserver/patch/merge-patch.ts'
import { PatchError } from '../../../../src/sandbox/apiserver/patch/patch-error.ts'

describe('merge patch', () => {
  const cases: readonly { name: string; given: JsonObject; patch: JsonValue; expected: JsonObject }[] = [
    { name: 'merges objects', given: { a: { b: 1, c: 2 } }, patch: { a: { b: 3 } }, expected: { a: { b: 3, c: 2 } } },
    { name: 'null removes', given: { a: 1, b: 2 }, patch: { a: null, z: null }, expected: { b: 2 } },
    { name: 'replaces lists', given: { a: [1, 2] }, patch: { a: [3] }, expected: { a: [3] } },
    {
      name: 'takes no nulls of new objects',
      given: {},
      patch: { a: { b: null, c: [{ d: null }, null] } },
      expected: { a: { c: [{}, null] } },
    },
    {
      name: 'replaces a scalar by an object',
      given: { a: 1 },
      patch: { a: { b: null, c: 1 } },
      expected: { a: { c: 1 } },
    },
    {
      name: 'touches no prototype',
      given: {},
      patch: JSON.parse('{"__proto__":{"x":1}}'),
      expected: JSON.parse('{"__proto__":{"x":1}}'),
    },
  ]
  for (const { name, given, patch, expected } of cases) {
    it(name, () => {
      expect(applyMergePatch(given, patch)).to.deep.equal(expected)
      expect(({} as { x?: number }).x).to.equal(undefined)
    })
  }

  const refusals: readonly (readonly [patch: JsonValue, message: string])[] = [
    [null, 'Invalid JSON Patch'],
    [5, 'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}'],
    [[1], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [true, 'error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ]
  for (const [patch, message] of refusals) {
    it(`refuses ${JSON.stringify(patch)}`, () => {
      expect(() => applyMergePatch({}, patch))
        .to.throw(PatchError)
        .that.includes({ httpStatus: 400, message })
    })
  }
})
