import { expect } from 'chai'
import { deepFreeze } from '../../../../src/core/base/json.ts'
import { variableValue } from '../../../../src/engine/role/run/variable-value.ts'

describe('variableValue', () => {
  it('drops nulls, in objects and in lists of them', () => {
    expect(variableValue({ a: null, b: [null, 1] })).to.deep.equal({ b: [1] })
    expect(variableValue([{ a: null }, null, 2])).to.deep.equal([{}, 2])
    expect(variableValue(null)).to.equal(undefined)
    expect(variableValue(undefined)).to.equal(undefined)
    expect(variableValue('x')).to.equal('x')
  })

  it('is frozen', () => {
    const value = variableValue([{ a: { b: null, c: [1] } }]) as [{ a: { c: number[] } }]
    for (const part of [value, value[0], value[0].a, value[0].a.c]) expect(Object.isFrozen(part)).to.equal(true)
  })

  it('shares what holds no nulls', () => {
    const pod = deepFreeze({ a: { b: 1 } })
    const [first] = variableValue([pod]) as unknown[]
    expect(first).to.equal(pod)
    expect(variableValue(pod)).to.equal(pod)
  })

  it('looks again at what may have changed', () => {
    const value: { a: number | null } = { a: null }
    expect(variableValue(value)).to.deep.equal({})
    value.a = 1
    expect(variableValue(value)).to.deep.equal({ a: 1 })
  })
})
