import { expect } from 'chai'
import { checkText } from '../../support/checked-role.ts'
import { markedText } from '../../support/marked-text.ts'

interface Case {
  readonly name: string
  readonly code: string
  /** An expression, with `«` before the place that is meant. */
  readonly source: string
  readonly hint?: string
}

const WRONG: readonly Case[] = [
  { name: 'an unknown path of $', code: 'RB1220', source: 'spec.«naem', hint: 'did you mean name?' },
  { name: 'a field of a list item', code: 'RB1220', source: 'spec.ports[0].«prot', hint: 'did you mean port?' },
  { name: 'a field of text', code: 'RB1220', source: 'spec.name.«first' },
]

describe('2: static types', () => {
  for (const { name, code, source, hint } of WRONG) {
    it(name, () => {
      const { text, place } = markedText(`tasks:\n  - set:\n      x: >-\n        \${${source}}\n  - status: "\${$x}"`)
      const found = checkText(text).map((one) => `${one.code} ${one.line}:${one.column} ${one.hint}`)
      expect(found).to.deep.equal([`${code} ${place} ${hint}`])
    })
  }
})
