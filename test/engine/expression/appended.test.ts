import { expect } from 'chai'
import { Appended } from '../../../src/engine/expression/compile/appended.ts'
import { Budget } from '../../../src/engine/expression/compile/budget.ts'

describe('values that are appended to each other', () => {
  it('stay what they are when nothing is added', () => {
    const appended = new Appended(new Budget(), 'a')
    appended.add(undefined)
    expect(appended.value).to.equal('a')
  })

  it('become a list with the second of them', () => {
    const appended = new Appended(new Budget(), 'a')
    appended.add(['b', 'c'])
    expect(appended.value).to.deep.equal(['a', 'b', 'c'])
  })
})
