import { expect } from 'chai'
import { Warnings } from '../../../../src/sandbox/apiserver/http/warnings.ts'

const many = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index).repeat(length))

describe('Warnings of one answer', () => {
  const cases: readonly { name: string; texts: readonly string[]; lengths: readonly number[] }[] = [
    { name: 'are sent once each, and empty ones are not sent', texts: ['a', '', 'a'], lengths: [9] },
    { name: 'are whole while all of them are short', texts: many(4, 1024), lengths: [1032, 1032, 1032, 1032] },
    { name: 'are shortened when they are too long together', texts: many(2, 3000), lengths: [264, 264] },
    { name: 'are left out when even that is too much', texts: many(20, 300), lengths: Array(16).fill(264) },
    { name: 'are none with control characters', texts: ['a\nb'], lengths: [] },
  ]
  for (const { name, texts, lengths } of cases) {
    it(name, () => {
      const warnings = new Warnings()
      for (const text of texts) warnings.add(text)
      expect(warnings.headers().map(({ length }) => length)).to.deep.equal(lengths)
    })
  }
})
