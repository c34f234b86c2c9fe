import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { FieldSet } from '../../../../src/core/schema/field-set.ts'
import { createdFields } from '../../../../src/sandbox/apiserver/apply/created-fields.ts'

const RESET = FieldSet.ofFields([['status']])

function configMap(data: object): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data } as KubeObject
}

const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`key-${n}`, 'x']))

const cases = [
  { name: 'are found once for objects of one shape', objects: [{ a: 'x' }, { a: 'y' }], reset: [RESET], asked: 1 },
  { name: 'are found anew for another shape', objects: [{ b: 'x' }, { c: 'x' }], reset: [RESET], asked: 2 },
  {
    name: 'are found anew where an endpoint ignores others',
    objects: [{ d: '' }],
    reset: [RESET, undefined],
    asked: 2,
  },
  { name: 'are found each time for very large objects', objects: [many, many], reset: [undefined], asked: 2 },
]

describe('fields of who creates an object', () => {
  for (const { name, objects, reset, asked } of cases) {
    it(name, () => {
      let questions = 0
      const find = (): FieldSet => {
        questions++
        return RESET
      }
      for (const data of objects) {
        for (const resetFields of reset) {
          expect(createdFields(configMap(data), { schema: undefined, resetFields }, find)).to.equal(RESET)
        }
      }
      expect(questions).to.equal(asked)
    })
  }

  it('are remembered where there are none', () => {
    const find = (): never => expect.fail('asked again')
    createdFields(configMap({ none: 'x' }), { schema: undefined }, () => undefined)
    expect(createdFields(configMap({ none: 'y' }), { schema: undefined }, find)).to.equal(undefined)
  })
})
