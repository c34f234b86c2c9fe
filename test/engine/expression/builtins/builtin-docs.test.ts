import { expect } from 'chai'
import { BUILTIN_DOCS } from '../../../../src/engine/expression/builtins/builtin-docs.ts'
import { BUILTIN_FUNCTIONS } from '../../../../src/engine/expression/builtins/builtin-functions.ts'

describe('what is said of the functions of JSONata', () => {
  it('is said of each of them, and of no other', () =>
    expect(Object.keys(BUILTIN_DOCS)).to.have.members(BUILTIN_FUNCTIONS.map(({ name }) => name)))

  for (const { name, signature } of BUILTIN_FUNCTIONS) {
    it(`names as many parameters of $${name} as its signature`, () => {
      const given = (BUILTIN_DOCS[name]?.parameters ?? '').split(', ')
      // `<s-f<s:o>n?:a<o>>`: what is in brackets belongs to the letter before it, or is a choice of letters.
      const plain = signature
        .slice(1, -1)
        .replaceAll(/<[^<>]*>/g, '')
        .replaceAll(/\([^)]*\)/g, 'x')
      const letters = (plain.split(':')[0] ?? '').replaceAll(/[-?+]/g, '')
      expect(given, signature).to.have.length(letters.length)
    })
  }
})
