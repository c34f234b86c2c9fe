import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { applyJsonPatch } from '../../../../src/sandbox/apiserver/patch/json-patch.ts'
import { PatchError } from '../../../../src/sandbox/apiserver/patch/patch-error.ts'

const UNPROCESSABLE = 'the server rejected our request due to an error in our request'

describe('JSON patch', () => {
  const cases: readonly { name: string; given: JsonObject; patch: JsonValue; expected: JsonObject }[] = [
    { name: 'add sets a field', given: {}, patch: [{ op: 'add', path: '/a', value: 1 }], expected: { a: 1 } },
    { name: 'add without value sets null', given: {}, patch: [{ op: 'add', path: '/a' }], expected: { a: null } },
    {
      name: 'add inserts into a list',
      given: { l: [1, 3] },
      patch: [{ op: 'add', path: '/l/1', value: 2 }],
      expected: { l: [1, 2, 3] },
    },
    {
      name: 'add appends with a dash',
      given: { l: [1] },
      patch: [{ op: 'add', path: '/l/-', value: 2 }],
      expected: { l: [1, 2] },
    },
    {
      name: 'add counts from the end',
      given: { l: [1, 2] },
      patch: [{ op: 'add', path: '/l/-1', value: 3 }],
      expected: { l: [1, 2, 3] },
    },
    {
      name: 'escaped steps',
      given: { 'a/b~c': 1 },
      patch: [{ op: 'replace', path: '/a~1b~0c', value: 2 }],
      expected: { 'a/b~c': 2 },
    },
    { name: 'remove takes a field', given: { a: 1, b: 2 }, patch: [{ op: 'remove', path: '/a' }], expected: { b: 2 } },
    {
      name: 'remove takes an item',
      given: { l: [1, 2] },
      patch: [{ op: 'remove', path: '/l/0' }],
      expected: { l: [2] },
    },
    {
      name: 'replace of an absent field adds it',
      given: {},
      patch: [{ op: 'replace', path: '/a', value: 1 }],
      expected: { a: 1 },
    },
    {
      name: 'replace of an item',
      given: { l: [{ a: 1 }] },
      patch: [{ op: 'replace', path: '/l/0/a', value: 2 }],
      expected: { l: [{ a: 2 }] },
    },
    {
      name: 'replace of the whole',
      given: { a: 1 },
      patch: [{ op: 'replace', path: '', value: { b: 1 } }],
      expected: { b: 1 },
    },
    {
      name: 'move',
      given: { a: { b: 1 } },
      patch: [{ op: 'move', from: '/a/b', path: '/c' }],
      expected: { a: {}, c: 1 },
    },
    {
      name: 'copy is deep',
      given: { a: { b: 1 } },
      patch: [
        { op: 'copy', from: '/a', path: '/c' },
        { op: 'replace', path: '/c/b', value: 2 },
      ],
      expected: { a: { b: 1 }, c: { b: 2 } },
    },
    {
      name: 'copy of what is absent sets null',
      given: {},
      patch: [{ op: 'copy', from: '/a', path: '/c' }],
      expected: { c: null },
    },
    {
      name: 'test passes',
      given: { a: { x: [1] } },
      patch: [{ op: 'test', path: '/a', value: { x: [1] } }],
      expected: { a: { x: [1] } },
    },
    {
      name: 'test of an absent field for null passes',
      given: {},
      patch: [{ op: 'test', path: '/a', value: null }],
      expected: {},
    },
    {
      name: 'test of the whole',
      given: { a: 1 },
      patch: [{ op: 'test', path: '', value: { a: 1 } }],
      expected: { a: 1 },
    },
    { name: 'null is no operation', given: { a: 1 }, patch: null, expected: { a: 1 } },
    {
      name: 'no prototype is touched',
      given: {},
      patch: [{ op: 'add', path: '/__proto__', value: { x: 1 } }],
      expected: JSON.parse('{"__proto__":{"x":1}}'),
    },
  ]
  for (const { name, given, patch, expected } of cases) {
    it(name, () => {
      const before = structuredClone(given)
      expect(applyJsonPatch(given, patch)).to.deep.equal(expected)
      expect(given, 'the live object').to.deep.equal(before)
      expect(({} as { x?: number }).x).to.equal(undefined)
    })
  }

  const refusals: readonly { name: string; patch: JsonValue; status: number; message: string }[] = [
    { name: 'a failed test', patch: [{ op: 'test', path: '/a', value: 2 }], status: 422, message: UNPROCESSABLE },
    { name: 'remove of what is absent', patch: [{ op: 'remove', path: '/x' }], status: 422, message: UNPROCESSABLE },
    {
      name: 'a path through nothing',
      patch: [{ op: 'add', path: '/x/y', value: 1 }],
      status: 422,
      message: UNPROCESSABLE,
    },
    {
      name: 'a path through a scalar',
      patch: [{ op: 'add', path: '/a/y', value: 1 }],
      status: 422,
      message: UNPROCESSABLE,
    },
    {
      name: 'an index beyond the list',
      patch: [{ op: 'replace', path: '/l/5', value: 1 }],
      status: 422,
      message: UNPROCESSABLE,
    },
    {
      name: 'an index that is none',
      patch: [{ op: 'add', path: '/l/x', value: 1 }],
      status: 422,
      message: UNPROCESSABLE,
    },
    { name: 'an unknown operation', patch: [{ op: 'frob', path: '/a' }], status: 422, message: UNPROCESSABLE },
    { name: 'an operation of null', patch: [null], status: 422, message: UNPROCESSABLE },
    { name: 'an operation without path', patch: [{ op: 'add' }], status: 422, message: UNPROCESSABLE },
    { name: 'add of the whole', patch: [{ op: 'add', path: '', value: {} }], status: 422, message: UNPROCESSABLE },
    {
      name: 'replace of the whole by a scalar',
      patch: [{ op: 'replace', path: '', value: 1 }],
      status: 422,
      message: UNPROCESSABLE,
    },
    {
      name: 'no list',
      patch: { op: 'x' },
      status: 400,
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    },
    {
      name: 'no operations in the list',
      patch: [1],
      status: 400,
      message: 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    },
    {
      name: 'an operation that is no text',
      patch: [{ op: 1, path: '/a' }],
      status: 400,
      message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    },
    {
      name: 'too many operations',
      patch: Array(10_001).fill({ op: 'test', path: '/a', value: 1 }),
      status: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    },
    {
      name: 'a result that is no object',
      patch: [{ op: 'replace', path: '', value: [1] }],
      status: 422,
      message: ` "" is invalid: patch: Invalid value: "[1]": couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    },
  ]
  for (const { name, patch, status, message } of refusals) {
    it(`refuses ${name}`, () => {
      expect(() => applyJsonPatch({ a: 1, l: [1] }, patch))
        .to.throw(PatchError)
        .that.includes({ httpStatus: status, message })
    })
  }
})
