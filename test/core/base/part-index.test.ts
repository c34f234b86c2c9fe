import { expect } from 'chai'
import { isHumped, isMixed, PartIndex } from '../../../src/core/base/part-index.ts'
import { WholeTexts } from '../../../src/core/base/whole-texts.ts'
import { Dice } from '../../support/dice.ts'

const DISTINCTIVE = { mixed: [isMixed, /\d.*[A-Za-z]|[A-Za-z].*\d/s], humped: [isHumped, /[a-z].*[A-Z]/s] } as const

/** Which characters of a text are part of one of the others, looked up one by one. */
function coveredOneByOne(text: string, texts: readonly string[], distinctive: RegExp): string {
  const covered = [...text].map(() => '.')
  for (let start = 0; start < text.length; start++)
    for (const length of [6, 7, 8]) {
      const part = text.slice(start, start + length)
      if (part.length < length || !texts.some((one) => one.includes(part))) continue
      const counts = length === 8 || texts.includes(part) || (length === 6 && distinctive.test(part))
      if (counts) covered.fill('x', start, start + length)
    }
  return covered.join('')
}

describe('an index of parts', () => {
  for (const [name, [isDistinctive, distinctive]] of Object.entries(DISTINCTIVE)) {
    it(`finds what is found by looking one by one (${name})`, () => {
      const dice = new Dice(7)
      const textOf = (length: number): string => dice.text('aab1Ba/ä', length)
      for (let round = 0; round < 200; round++) {
        const texts = Array.from({ length: 1 + dice.below(30) }, () => textOf(dice.below(40)))
        const index = new PartIndex(isDistinctive)
        for (const text of texts) index.add(text)
        const text = textOf(300)
        const covered = [...text].map(() => '.')
        index.find(text, (start, end) => covered.fill('x', start, end))
        expect(covered.join(''), `${text} with parts of ${texts.join(' ')}`).to.equal(
          coveredOneByOne(
            text,
            texts.filter((one) => one.length >= 6),
            distinctive,
          ),
        )
      }
    })
  }

  it('grows with what is looked for, and keeps all of it', () => {
    const index = new PartIndex(() => false)
    const texts = Array.from({ length: 5_000 }, (_, number) => `text${number}`.padEnd(8, '-'))
    for (const text of texts) index.add(text)
    expect(index.size).to.equal(5_000)
    const found: number[] = []
    index.find(texts.join(' '), (start) => found.push(start))
    expect(found).to.have.length(5_000)
  })
})

describe('an index of whole texts', () => {
  const placesIn = (text: string, ...texts: readonly string[]): readonly (readonly [number, number])[] => {
    const wholes = new WholeTexts()
    const places: (readonly [number, number])[] = []
    for (const one of texts) wholes.add(one)
    wholes.find(text, (start, end) => places.push([start, end]))
    return places
  }

  it('finds one of two that begin alike', () => {
    expect(placesIn('a hunter23', 'hunter22', 'hunter23')).to.deep.equal([[2, 10]])
    expect(placesIn('a hunter24', 'hunter22', 'hunter23')).to.deep.equal([])
  })

  it('finds the same text once, each time it stands there', () => {
    expect(placesIn('a hunter22', 'hunter22', 'hunter22')).to.deep.equal([[2, 10]])
    expect(placesIn('hunter22 hunter22', 'hunter22')).to.deep.equal([
      [0, 8],
      [9, 17],
    ])
  })

  it('looks for no short text', () => expect(placesIn('a hunt', 'hunt')).to.deep.equal([]))

  it('takes the rest of a text for found that it would take too long to compare', () => {
    const texts = Array.from({ length: 300 }, (_, number) => `${'a'.repeat(2_000)}${number}`)
    expect(placesIn(`${'a'.repeat(50)}.`, ...texts)).to.deep.equal([[33, 51]])
    expect(placesIn('a'.repeat(10), ...texts)).to.deep.equal([])
  })
})
