import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { cut, harmless, padTo, widthOf, wrap } from '../../../../src/rolebook/cli/live-view/text-width.ts'

const RED = '\u001b[31m'
const RESET = '\u001b[0m'

describe('the width of text on a terminal', () => {
  const widths: readonly (readonly [name: string, text: string, width: number])[] = [
    ['plain letters', 'abc', 3],
    ['letters in colour', `${RED}abc${RESET}`, 3],
    ['wide letters', '日本', 4],
    ['an emoji of several characters', '👨‍👩‍👧', 2],
    ['a letter and its accent', 'e\u0301', 1],
  ]
  for (const [name, text, width] of widths) it(name, () => expect(widthOf(text)).to.equal(width))

  const cuts: readonly (readonly [name: string, text: string, columns: number, shown: string])[] = [
    ['a text that fits', 'abc', 3, 'abc'],
    ['one that does not', 'abcdef', 4, 'abc…'],
    ['a wide letter at the edge', '日本語', 4, '日…'],
    ['an emoji at the edge', 'ab👨‍👩‍👧c', 4, 'ab…'],
    ['a text in colour, which ends before the ellipsis', `${RED}abcdef${RESET}`, 4, `${RED}abc${RESET}…`],
    ['no room at all', 'abc', 0, ''],
  ]
  for (const [name, text, columns, shown] of cuts) {
    it(`is kept: ${name}`, () => {
      expect(cut(text, columns)).to.equal(shown)
      expect(widthOf(padTo(text, columns))).to.equal(columns)
    })
  }
})

describe('lines of a text', () => {
  const cases: readonly (readonly [name: string, text: string, columns: number, lines: readonly string[]])[] = [
    ['end between words', 'one two three', 8, ['one two', 'three']],
    ['end at the edge in a word that is longer than a line', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['keep their indentation', '    one two three', 11, ['    one two', '    three']],
    ['have no wide letter across the edge', '日本語', 5, ['日本', '語']],
    ['may be empty', '', 5, ['']],
    ['hold a letter that is wider than they are', '日本', 1, ['日', '本']],
  ]
  for (const [name, text, columns, lines] of cases) it(name, () => expect(wrap(text, columns)).to.deep.equal(lines))

  it('have the colours of the text', () => {
    const lines = wrap(`${RED}one two${RESET} three`, 4)
    expect(lines.map(stripVTControlCharacters)).to.deep.equal(['one', 'two', 'thre', 'e'])
    expect(lines.slice(0, 2)).to.deep.equal([`${RED}one${RESET}`, `${RED}two${RESET}`])
  })

  it('obey nothing but colours', () => {
    expect(harmless(`a\u001b[2Jb\u0007${RED}c${RESET}\u202ed`)).to.equal(`a [2Jb ${RED}c${RESET} d`)
  })
})
