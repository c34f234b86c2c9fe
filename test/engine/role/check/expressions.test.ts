import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'
import { markedText } from '../../../support/marked-text.ts'
import { RIGHT_EXPRESSIONS } from './right-expressions.ts'
import { WRONG_EXPRESSIONS } from './wrong-expressions.ts'

/** A role with one expression, whose value goes where it can be anything. */
function roleWith(source: string): string {
  const lines = ['tasks:', '  - set:', '      x: >-', `        \${${source}}`, '  - fail:', '      message: >-']
  return `${lines.join('\n')}\n        \${$toJson($x)}\n`
}

describe('static types of expressions', () => {
  for (const { name, code, source, fix } of WRONG_EXPRESSIONS) {
    it(`${code}: ${name}`, () => {
      const { text, place } = markedText(roleWith(source))
      const found = checkText(text).map((one) => `${one.code} ${one.line}:${one.column}`)
      expect(found).to.deep.equal([`${code} ${place}`])
      if (fix !== undefined) expect(checkText(text)[0]?.hint).to.include(fix)
    })
  }

  it('name one reading of another language where the type tells which', () => {
    const hints = ['!spec.debug', 'size(spec.name) = 1', 'spec.tags.size() = 1'].map(
      (source) => checkText(roleWith(source))[0]?.hint,
    )
    expect(hints).to.deep.equal([
      'write `${$not(spec.debug ?? false)}`',
      'write `${$length(spec.name) = 1}`',
      'write `${$count(spec.tags) = 1}`',
    ])
  })

  for (const source of RIGHT_EXPRESSIONS) {
    it(`says nothing against ${source}`, () => {
      expect(checkText(roleWith(source)).map(({ message }) => message)).to.deep.equal([])
    })
  }
})
