import { expect } from 'chai'
import { parseFieldSelector } from '../../../../src/sandbox/apiserver/store/field-selector.ts'

describe('Field selectors', () => {
  const cases = [
    { text: 'a=b', terms: [{ field: 'a', value: 'b', equal: true }] },
    { text: 'a==b', terms: [{ field: 'a', value: 'b', equal: true }] },
    {
      text: 'a=,c!=d',
      terms: [
        { field: 'a', value: '', equal: true },
        { field: 'c', value: 'd', equal: false },
      ],
    },
    { text: 'a=b\\,c\\=d\\\\', terms: [{ field: 'a', value: 'b,c=d\\', equal: true }] },
    { text: 'a=b,,', terms: [{ field: 'a', value: 'b', equal: true }] },
    { text: ',', terms: [] },
    { text: '', terms: [] },
  ]
  for (const { text, terms } of cases) {
    it(`"${text}" has ${terms.length} terms`, () => expect(parseFieldSelector(text)).to.deep.equal(terms))
  }

  it('"a" is refused', () => {
    expect(() => parseFieldSelector('b=c,a')).to.throw("invalid selector: 'b=c,a'; can't understand 'a'")
  })
})
