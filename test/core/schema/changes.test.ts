import { expect } from 'chai'
import { Changes, changeItems } from '../../../src/core/schema/changes.ts'

describe('changes', () => {
  it('leave what does not change as it is', () => {
    const object = { a: 1, b: [2] }
    const changes = new Changes(object)
    changes.set('a', 1)
    expect(changes.result()).to.equal(object)
    expect(changeItems(object.b, (item) => item)).to.equal(object.b)
  })
  it('copy an object: fields keep their places, new ones come last, dropped ones go', () => {
    const object = { a: 1, b: 2, c: 3 }
    const changes = new Changes(object)
    changes.set('d', 4)
    changes.set('a', 5)
    changes.drop('b')
    expect(JSON.stringify(changes.result())).to.equal('{"a":5,"c":3,"d":4}')
    expect(object).to.deep.equal({ a: 1, b: 2, c: 3 })
  })
  it('set a field with the name of a prototype like every other', () => {
    const changes = new Changes({ a: 1 })
    changes.set('__proto__', 2)
    expect(JSON.stringify(changes.result())).to.equal('{"a":1,"__proto__":2}')
  })
  it('copy a list when one of its items changes', () => {
    const items = [1, 2, 3]
    expect(changeItems(items, (item, index) => (index === 1 ? null : item))).to.deep.equal([1, null, 3])
    expect(items).to.deep.equal([1, 2, 3])
  })
})
