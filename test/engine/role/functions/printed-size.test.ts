import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { printYaml } from '../../../../src/core/yaml/print-yaml.ts'
import { printedSizeOf } from '../../../../src/engine/role/functions/printed-size.ts'

describe('printedSizeOf', () => {
  const values: Readonly<Record<string, JsonValue>> = {
    'a text': 'a text',
    'a text of lines': 'some\nmore\nlines\n',
    'a list': [1, 2, 3],
    'lists in lists': [1, 2, [3, [4, [5]]]],
    'maps in maps': { a: { b: { c: 1, d: 2 } } },
    'many small maps': Array.from({ length: 100 }, () => ({ a: 1, b: 2 })),
    'lines far in': [[[[[[{ a: 'b\nc\n'.repeat(50) }]]]]]],
    'long keys': { [`a${'b'.repeat(100)}`]: { [`a${'b'.repeat(100)}`]: 'c' } },
  }
  for (const [name, value] of Object.entries(values)) {
    it(`knows before how much YAML is made of ${name}`, () => {
      const size = printYaml([value]).length
      expect(printedSizeOf(value, 2)).to.be.within(0.75 * size, size)
    })
  }

  it('is no more than the JSON of a value without small parts', () => {
    const value = { list: ['some text', 'more text', { key: 'a text\nof two lines' }] }
    const size = JSON.stringify(value).length
    expect(printedSizeOf(value, 0)).to.be.within(0.75 * size, size)
  })

  it('is nothing for what has no entries', () =>
    expect([[], {}].map((one) => printedSizeOf(one, 2))).to.deep.equal([0, 0]))
})
