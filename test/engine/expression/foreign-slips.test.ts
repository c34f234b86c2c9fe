import { expect } from 'chai'
import { checkExpression } from '../../../src/engine/expression/check-expression.ts'
import { roleFunctions } from '../../../src/engine/role/functions/functions.ts'
import { RoleTexts } from '../../../src/engine/role/functions/role-texts.ts'
import { NO_SOURCES, UsedSources } from '../../../src/engine/role/parse/role-sources.ts'
import { FOREIGN_SLIPS, NO_SLIPS } from './foreign-slips.ts'

const functions = roleFunctions(new RoleTexts(new UsedSources(NO_SOURCES)))
const check = (source: string) =>
  checkExpression(source, {
    functions,
    variables: new Set(['item']),
    rootFields: new Set(['metadata', 'spec', 'kind']),
  })

describe('the syntax of other languages in an expression', () => {
  for (const { from, written, meant } of FOREIGN_SLIPS) {
    it(`${from}: ${written}`, () => {
      const [first, ...others] = check(written)
      expect(first?.code, first?.message).to.equal('foreign-syntax')
      expect(first?.hint).to.include(meant)
      expect(others.map(({ message }) => message)).to.deep.equal([])
      const { position = -1, length = 0 } = first ?? {}
      expect(position, 'position').to.be.within(0, written.length - 1)
      expect(position + length, 'end').to.be.at.most(written.length)
    })
  }

  it('is not looked for in an expression longer than people write', () => {
    const [long, short] = [200, 2].map((count) => check(`${'spec.debug and '.repeat(count)}spec.size == 1`)[0]?.code)
    expect([long, short]).to.deep.equal(['syntax', 'foreign-syntax'])
  })

  for (const source of NO_SLIPS) {
    it(`says nothing against ${source}`, () => {
      expect(check(source).map(({ message }) => message)).to.deep.equal([])
    })
  }
})
