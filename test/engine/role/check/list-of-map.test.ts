import { expect } from 'chai'
import { listHint } from '../../../../src/engine/role/check/list-of-map.ts'

describe('the hint for a map where a list is wanted', () => {
  const dashes = 'each item of a list begins with `- `'

  it('shows no item where items have no name', () => {
    expect(listHint({ a: 'x' }, { items: { type: 'string' } })).to.equal(dashes)
  })

  it('shows no item where several fields may hold the value', () => {
    const items = { properties: { name: {}, port: {}, host: {} }, required: ['port', 'host'] }
    expect(listHint({ a: 'x' }, { items })).to.equal(dashes)
  })
})
