import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { PatchError } from '../../../../src/sandbox/apiserver/patch/patch-error.ts'
import { applyStrategicMergePatch } from '../../../../src/sandbox/apiserver/patch/strategic-merge-patch.ts'
import { builtinSchema } from '../../../core/schema/schemas.ts'

const SCHEMA = builtinSchema('v1', 'PodTemplate')

function podSpec(spec: JsonObject): JsonObject {
  return { template: { spec } }
}

describe('strategic merge patch', () => {
  const file = new URL('recorded-strategic.generated.json', import.meta.url)
  const recorded: { live: JsonObject; patch: JsonValue; result: JsonObject }[] = JSON.parse(readFileSync(file, 'utf8'))
  for (const [index, { live, patch, result }] of recorded.entries()) {
    it(`gives what the real server accepted as its own result (${index + 1})`, () => {
      expect(applyStrategicMergePatch(live, patch, SCHEMA)).to.deep.equal(result)
    })
  }

  const [A, B, C] = ['a', 'b', 'c'].map((name) => ({ name, image: 'i' }))
  const cases: readonly { name: string; given: JsonObject; patch: JsonObject; expected: JsonObject }[] = [
    {
      name: 'merges items by key, new ones at their place in the patch',
      given: podSpec({ containers: [A, B] } as JsonObject),
      patch: podSpec({
        containers: [
          { name: 'c', image: 'i' },
          { name: 'a', image: 'new' },
        ],
      }),
      expected: podSpec({ containers: [C, { name: 'a', image: 'new' }, B] } as JsonObject),
    },
    {
      name: 'deletes a list of scalars as a whole',
      given: { metadata: { name: 'a', finalizers: ['x/y'] } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': null } },
      expected: { metadata: { name: 'a' } },
    },
    {
      name: 'leaves an empty list empty',
      given: { metadata: { finalizers: [] } },
      patch: { metadata: { finalizers: [] } },
      expected: { metadata: { finalizers: [] } },
    },
    {
      name: 'puts an order on a list that the patch leaves alone',
      given: podSpec({ containers: [A, B] } as JsonObject),
      patch: podSpec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }),
      expected: podSpec({ containers: [B, A] } as JsonObject),
    },
    {
      name: 'deletes an item',
      given: podSpec({ containers: [A, B] } as JsonObject),
      patch: podSpec({ containers: [{ name: 'a', $patch: 'delete' }] }),
      expected: podSpec({ containers: [B] } as JsonObject),
    },
    {
      name: 'replaces a list',
      given: podSpec({ containers: [A, B] } as JsonObject),
      patch: podSpec({ containers: [{ $patch: 'replace' }, { name: 'c', image: 'i' }] }),
      expected: podSpec({ containers: [C] } as JsonObject),
    },
    {
      name: 'replaces a map',
      given: podSpec({ nodeSelector: { a: '1', b: '2' } }),
      patch: podSpec({ nodeSelector: { $patch: 'replace', c: '3' } }),
      expected: podSpec({ nodeSelector: { c: '3' } }),
    },
    {
      name: 'empties a map',
      given: podSpec({ nodeSelector: { a: '1' } }),
      patch: podSpec({ nodeSelector: { $patch: 'delete' } }),
      expected: podSpec({ nodeSelector: {} }),
    },
    {
      name: 'orders items',
      given: podSpec({ containers: [A, B, C] } as JsonObject),
      patch: podSpec({
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        containers: [{ name: 'a', image: 'new' }],
      }),
      expected: podSpec({ containers: [B, C, { name: 'a', image: 'new' }] } as JsonObject),
    },
    {
      name: 'orders scalars and deletes some',
      given: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: {
        metadata: {
          '$setElementOrder/finalizers': ['d', 'c', 'a'],
          finalizers: ['d'],
          '$deleteFromPrimitiveList/finalizers': ['b'],
        },
      },
      expected: { metadata: { finalizers: ['d', 'c', 'a'] } },
    },
    {
      name: 'keeps only the keys that it retains',
      given: podSpec({ volumes: [{ name: 'v', emptyDir: {} }] }),
      patch: podSpec({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } }] }),
      expected: podSpec({ volumes: [{ name: 'v', configMap: { name: 'm' } }] }),
    },
    {
      name: 'replaces lists that have no strategy',
      given: podSpec({ tolerations: [{ key: 'a' }] }),
      patch: podSpec({ tolerations: [{ key: 'b' }] }),
      expected: podSpec({ tolerations: [{ key: 'b' }] }),
    },
    {
      name: 'null removes, also what is not there',
      given: { metadata: { labels: { a: '1' } } },
      patch: { metadata: { labels: { a: null, b: null }, annotations: null } },
      expected: { metadata: { labels: {} } },
    },
    {
      name: 'a new list keeps no items with directives',
      given: podSpec({}),
      patch: podSpec({
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'b', image: null, args: ['x'] },
        ],
      }),
      expected: podSpec({ containers: [{ name: 'b', args: ['x'] }] }),
    },
    {
      name: 'an order alone sorts what is there, and nothing when nothing is',
      given: podSpec({ containers: [A, B] } as JsonObject),
      patch: podSpec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], '$setElementOrder/volumes': [] }),
      expected: podSpec({ containers: [B, A] } as JsonObject),
    },
    {
      name: 'deletions from what is no list do nothing',
      given: { metadata: {} },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      expected: { metadata: {} },
    },
    {
      name: 'a new item stands where a deleted one left room, as in the real server',
      given: podSpec({ containers: [B, A] } as JsonObject),
      patch: podSpec({
        '$setElementOrder/containers': [{ name: 'c' }],
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'c', image: 'i' },
        ],
      }),
      expected: podSpec({ containers: [B, C] } as JsonObject),
    },
  ]
  for (const { name, given, patch, expected } of cases) {
    it(name, () => {
      const before = structuredClone(given)
      expect(applyStrategicMergePatch(given, patch, SCHEMA)).to.deep.equal(expected)
      expect(given, 'the live object').to.deep.equal(before)
    })
  }

  it('of null changes nothing', () => expect(applyStrategicMergePatch({ a: 1 }, null, SCHEMA)).to.deep.equal({ a: 1 }))

  const live = { metadata: { labels: { a: '1' }, finalizers: ['a'], ownerReferences: [{ uid: '1' }] }, data: { a: {} } }
  const refusals: readonly { name: string; patch: JsonValue; status: number; message: string | RegExp }[] = [
    {
      name: 'a list',
      patch: [],
      status: 400,
      message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      name: 'an unknown directive',
      patch: { metadata: { $patch: 'frob' } },
      status: 500,
      message: 'unknown patch type: frob in map: map[$patch:frob]',
    },
    {
      name: 'an unknown directive in an item',
      patch: { metadata: { ownerReferences: [{ uid: '1', $patch: 'frob' }] } },
      status: 500,
      message: 'unknown patch type: frob in map: map[$patch:frob uid:1]',
    },
    {
      name: 'the directive merge in an item',
      patch: { metadata: { ownerReferences: [{ uid: '1', $patch: 'merge' }] } },
      status: 500,
      message: 'merging lists cannot yet be specified in the patch',
    },
    {
      name: 'an item without key',
      patch: { metadata: { ownerReferences: [{ name: 'x' }] } },
      status: 500,
      message: 'map: map[name:x] does not contain declared merge key: uid',
    },
    {
      name: 'items of other types',
      patch: { metadata: { finalizers: [1] } },
      status: 500,
      message: 'list element types are not identical: [[a] [1]]',
    },
    {
      name: 'lists in lists',
      patch: { metadata: { finalizers: [['a']] } },
      status: 500,
      message: 'list element types are not identical: [[a] [[a]]]',
    },
    {
      name: 'retained keys that are no list',
      patch: { metadata: { $retainKeys: 5 } },
      status: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      name: 'fields that are not retained',
      patch: { metadata: { $retainKeys: ['labels'], annotations: { a: 'b' } } },
      status: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      name: 'an order that is no list',
      patch: { metadata: { '$setElementOrder/finalizers': 5 } },
      status: 500,
      message: 'expected a []interface {}, but received a int64',
    },
    {
      name: 'an order without field',
      patch: { metadata: { $setElementOrder: [] } },
      status: 400,
      message: 'invalid patch format of setElementOrder list',
    },
    {
      name: 'a deletion without field',
      patch: { metadata: { $deleteFromPrimitiveList: [] } },
      status: 400,
      message: 'invalid patch format of primitive list',
    },
    {
      name: 'an order of an unknown field',
      patch: { '$setElementOrder/bogus': [1] },
      status: 500,
      message: 'unable to find api field in struct PodTemplate for the json field "bogus"',
    },
    {
      name: 'an order that the items do not have',
      patch: { metadata: { '$setElementOrder/finalizers': ['a'], finalizers: ['b'] } },
      status: 500,
      message: "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n",
    },
    {
      name: 'an order of nothing',
      patch: { metadata: { '$setElementOrder/managedFields': [], managedFields: [] } },
      status: 500,
      message: 'no elements in any of the given slices',
    },
  ]
  for (const { name, patch, status, message } of refusals) {
    it(`refuses ${name}`, () => {
      expect(() => applyStrategicMergePatch(live, patch, SCHEMA))
        .to.throw(PatchError)
        .that.includes({ httpStatus: status, message })
    })
  }

  it('refuses lists in lists also where the live list is empty', () => {
    const empty = { metadata: { finalizers: [] } }
    expect(() => applyStrategicMergePatch(empty, { metadata: { finalizers: [['a']] } }, SCHEMA))
      .to.throw(PatchError)
      .that.includes({ httpStatus: 422 })
  })

  it('refuses an order of items that have no key', () => {
    const patch = { metadata: { '$setElementOrder/ownerReferences': ['1'] } }
    expect(() => applyStrategicMergePatch(live, patch, SCHEMA)).to.throw(
      PatchError,
      'expected a map[string]interface {}, but received a string',
    )
  })

  it('takes a list that is not merged as the patch has it', () => {
    const groups = (list: JsonObject) => ({ template: { spec: { securityContext: list } } })
    const order = { '$setElementOrder/supplementalGroups': [2, 1], supplementalGroups: [2] }
    const patched = applyStrategicMergePatch(groups({ supplementalGroups: [1] }), groups(order), SCHEMA)
    expect(patched).to.deep.equal(groups({ supplementalGroups: [2] }))
    expect(applyStrategicMergePatch(groups({}), groups(order), SCHEMA)).to.deep.equal(patched)
  })

  it('replaces the selector of a PodDisruptionBudget', () => {
    const budget = { spec: { selector: { matchLabels: { a: '1' } }, minAvailable: 1 } }
    const patch = { spec: { selector: { matchLabels: { b: '1' } } } }
    const schema = builtinSchema('policy/v1', 'PodDisruptionBudget')
    expect(applyStrategicMergePatch(budget, patch, schema)).to.deep.equal({
      spec: { selector: { matchLabels: { b: '1' } }, minAvailable: 1 },
    })
  })

  it('merges what is to be deleted from a list of maps', () => {
    const patch = { metadata: { '$deleteFromPrimitiveList/ownerReferences': [{ uid: '1', name: 'x' }, { uid: '2' }] } }
    const { metadata } = applyStrategicMergePatch(live, patch, SCHEMA) as { metadata: JsonObject }
    expect(metadata.ownerReferences).to.deep.equal([{ uid: '1', name: 'x' }, { uid: '2' }])
  })

  it('cannot merge maps of maps that are no structs', () => {
    const schema = {
      type: 'object',
      properties: {
        m: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } },
      },
    } as const
    expect(() => applyStrategicMergePatch({ m: { a: { x: '1' } } }, { m: { a: { y: '2' } } }, schema)).to.throw(
      PatchError,
      'merging an object in json but data type is not struct, instead is: map',
    )
  })
})
