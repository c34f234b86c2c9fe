import { expect } from 'chai'
import { PagedStates } from '../../../../src/sandbox/apiserver/store/paged-states.ts'

describe('PagedStates', () => {
  it('knows a state by its position and namespace', () => {
    const states = new PagedStates()
    const objects = [] as const
    states.keep({ position: 3, namespace: 'a', objects })
    expect(states.find(3, 'a')).to.equal(objects)
    expect([states.find(3, undefined), states.find(4, 'a')]).to.deep.equal([undefined, undefined])
  })

  it('keeps the four latest', () => {
    const states = new PagedStates()
    for (let position = 1; position <= 5; position++) states.keep({ position, namespace: undefined, objects: [] })
    const known = [1, 2, 3, 4, 5].filter((position) => states.find(position, undefined))
    expect(known).to.deep.equal([2, 3, 4, 5])
  })

  it('forgets a state whose changes are forgotten', () => {
    const states = new PagedStates()
    for (const position of [3, 4]) states.keep({ position, namespace: undefined, objects: [] })
    states.forgetBefore(4)
    expect([3, 4].filter((position) => states.find(position, undefined))).to.deep.equal([4])
  })
})
