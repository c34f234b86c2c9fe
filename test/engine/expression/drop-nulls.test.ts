import { expect } from 'chai'
import { dropNulls } from '../../../src/engine/expression/drop-nulls.ts'

describe('dropNulls', () => {
  it('drops nulls from fields and lists, at any depth', () => {
    expect(dropNulls({ a: null, b: [1, null, { c: null, d: 2 }], e: { f: null } })).to.deep.equal({
      b: [1, { d: 2 }],
      e: {},
    })
  })

  it('makes nothing of null', () => {
    expect(dropNulls(null)).to.equal(undefined)
  })

  it('keeps what is no null', () => {
    for (const value of [0, '', false, [], {}]) expect(dropNulls(value)).to.equal(value)
  })

  it('shares what holds no null', () => {
    const value = { a: [1, { b: 2 }], c: null }
    expect(dropNulls(value)?.a).to.equal(value.a)
    expect(dropNulls(value.a)).to.equal(value.a)
  })

  it('keeps a key __proto__ a key', () => {
    const clean = dropNulls(JSON.parse('{"__proto__": {"polluted": true}, "x": null}'))
    expect(Object.keys(clean as object)).to.deep.equal(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('leaves data that nests without end alone', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}null${'}'.repeat(10_000)}`)
    expect(dropNulls(deep)).to.equal(deep)
  })
})
