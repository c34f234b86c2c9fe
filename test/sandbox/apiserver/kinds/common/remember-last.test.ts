import { expect } from 'chai'
import { rememberLast } from '../../../../../src/sandbox/apiserver/kinds/common/remember-last.ts'

describe('A function that remembers its last result', () => {
  const made = () => {
    let calls = 0
    const work = rememberLast((part: { readonly name: string }) => {
      calls++
      if (part.name === '') throw new Error('no name')
      return { greeting: `hello ${part.name}` }
    })
    return { work, calls: () => calls }
  }
  const [one, equal, bad] = [{ name: 'one' }, { name: 'one' }, { name: '' }]

  it('gives the very result again for the very part', () => {
    const { work, calls } = made()
    expect(work(one)).to.equal(work(one))
    expect(calls()).to.equal(1)
  })

  it('works again for another part, also for an equal one', () => {
    const { work, calls } = made()
    expect(work(equal)).to.deep.equal(work(one))
    expect(calls()).to.equal(2)
  })

  it('does not take an error for a result', () => {
    const { work } = made()
    for (const _ of [1, 2]) expect(() => work(bad)).to.throw('no name')
    expect(work(one).greeting).to.equal('hello one')
  })
})
