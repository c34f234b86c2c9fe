import { expect } from 'chai'
import { findDuplicateFields } from '../../../../src/sandbox/apiserver/write/duplicate-fields.ts'
import { inBodyOrder } from '../../../../src/sandbox/apiserver/write/field-order.ts'

describe('findDuplicateFields', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '{}': [],
    '{"a":1,"b":2}': [],
    '{"a":1,"a":2}': ['a'],
    '{"a":{"b":1,"b":2,"b":3}}': ['a.b', 'a.b'],
    '{"a":[{"b":1},{"b":1,"b":2}]}': ['a[1].b'],
    '{"a":"\\"a\\":1","b":"a"}': [],
    '{"a":{"x":1},"b":{"x":1}}': [],
    '{"a":[1,[2,{"c":1,"c":2}]]}': ['a[1][1].c'],
    '{"\\u0061":1,"a":2}': ['a'],
    '{"a\\\\":1,"a\\\\":2}': ['a\\'],
    '[{"a":1,"a":2}]': ['[0].a'],
    '{"a":{},"b":[],"a":{}}': ['a'],
    ' { "a" : 1 , "a" : 2 } ': ['a'],
  }
  for (const [text, paths] of Object.entries(cases)) {
    it(`finds ${paths.join(', ') || 'nothing'} in ${text}`, () =>
      expect(findDuplicateFields(text).map(({ path }) => path)).to.deep.equal(paths))
  }
})

describe('inBodyOrder', () => {
  it('orders paths as they stand in a body', () => {
    const body = { z: 1, spec: { b: [{ y: 1, x: 2 }], a: 1 } }
    const paths = ['spec.a', 'spec.b[0].x', 'spec.b[0].y', 'z', 'elsewhere']
    expect(inBodyOrder(paths, body)).to.deep.equal(['z', 'spec.b[0].y', 'spec.b[0].x', 'spec.a', 'elsewhere'])
  })
})
