import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

describe('SourceFile', () => {
  const file = new SourceFile('f.yaml', 'one\ntwo\n\nfour')
  const cases = [
    { offset: 0, expected: { line: 1, column: 1 } },
    { offset: 2, expected: { line: 1, column: 3 } },
    { offset: 3, expected: { line: 1, column: 4 } },
    { offset: 4, expected: { line: 2, column: 1 } },
    { offset: 8, expected: { line: 3, column: 1 } },
    { offset: 9, expected: { line: 4, column: 1 } },
    { offset: 13, expected: { line: 4, column: 5 } },
    { offset: 99, expected: { line: 4, column: 5 } },
    { offset: -1, expected: { line: 1, column: 1 } },
  ]
  for (const { offset, expected } of cases) {
    it(`places offset ${offset} at ${expected.line}:${expected.column}`, () => {
      expect(file.position(offset)).to.deep.equal(expected)
    })
  }

  it('gives lines without their breaks', () => {
    const windows = new SourceFile('w.yaml', 'one\r\ntwo')
    expect([1, 2, 3, 4, 5].map((line) => file.line(line))).to.deep.equal(['one', 'two', '', 'four', undefined])
    expect(windows.line(1)).to.equal('one')
  })
})
