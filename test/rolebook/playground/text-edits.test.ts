import { expect } from 'chai'
import { differenceOf, rangeAfter, withEdits } from '../../../src/rolebook/playground/text-edits.ts'

describe('edits of texts', () => {
  it('are made in all files, in whatever order they come', () => {
    const edits = [
      { path: 'a', start: 0, end: 1, text: 'long' },
      { path: 'b', start: 1, end: 1, text: '!' },
      { path: 'a', start: 2, end: 3, text: '' },
    ]
    expect(withEdits({ a: '123', b: 'x', c: 'same' }, edits)).to.deep.equal({ a: 'long2', b: 'x!', c: 'same' })
  })

  it('move what stands behind them', () => {
    const edits = [
      { start: 0, end: 1, text: 'long' },
      { start: 5, end: 6, text: 'xy' },
      { start: 8, end: 9, text: 'z' },
    ]
    expect(rangeAfter(edits[1]!, edits)).to.deep.equal({ start: 8, end: 10 })
  })

  const cases = [
    { name: 'nothing', from: 'same', to: 'same', edit: { start: 4, end: 4, text: '' } },
    { name: 'a word in the middle', from: 'a b c', to: 'a xyz c', edit: { start: 2, end: 3, text: 'xyz' } },
    { name: 'a letter that is doubled', from: 'aa', to: 'aaa', edit: { start: 2, end: 2, text: 'a' } },
    { name: 'a letter of several that is removed', from: 'aaa', to: 'aa', edit: { start: 2, end: 3, text: '' } },
    { name: 'everything', from: '', to: 'new', edit: { start: 0, end: 0, text: 'new' } },
  ]
  for (const { name, from, to, edit } of cases) {
    it(`are as small as they can be: ${name}`, () => {
      expect(differenceOf(from, to)).to.deep.equal(edit)
      expect(withEdits({ a: from }, [{ path: 'a', ...edit }])).to.deep.equal({ a: to })
    })
  }
})
