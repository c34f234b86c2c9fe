import { expect } from 'chai'
import { REDACTED } from '../../src/base/redactor.ts'
import { compileExpression } from '../../src/expression/compile-expression.ts'
import { ROLE_FUNCTIONS } from '../../src/role/functions.ts'
import { redactEvent } from '../../src/role/redact-outcome.ts'
import { Secrecy } from '../../src/role/secrecy.ts'
import { type Leak, withoutLeaks } from '../../src/role/value-flow.ts'
import { witnessedExpression } from '../../src/role/witnessed.ts'

const SECRET = 'correct-horse-battery'

function leakAt(path: Leak['path'], text: string, at: Leak['at'] = 'value'): Leak {
  return { path, at, offset: text.indexOf('${') + 2, length: text.indexOf('}') - text.indexOf('${') - 2, trail: [] }
}

describe('3: what is told without values of Secrets', () => {
  it('are all texts of a value that is hidden', () => {
    const secrecy = new Secrecy()
    secrecy.hide({ list: [SECRET, 7], other: null })
    expect(secrecy.redact(`it is ${SECRET}`)).to.equal(`it is ${REDACTED}`)
  })

  it('is an event whose reason stays one word', () => {
    const secrecy = new Secrecy()
    secrecy.hide(SECRET)
    const event = { type: 'Normal', reason: SECRET, message: `got ${SECRET}` } as const
    expect(redactEvent(event, secrecy)).to.deep.equal({
      type: 'Normal',
      reason: 'Redacted',
      message: `got ${REDACTED}`,
    })
  })

  describe('is a value whose expressions would tell', () => {
    const text = 'a ${$secret} b'
    const told = `a ${REDACTED} b`
    const cases: readonly { name: string; value: Parameters<typeof withoutLeaks>[0]; leak: Leak; expected: unknown }[] =
      [
        { name: 'a text', value: text, leak: leakAt([], text), expected: told },
        { name: 'an item of a list', value: ['x', text], leak: leakAt([1], text), expected: ['x', told] },
        { name: 'a field', value: { a: text, b: 1 }, leak: leakAt(['a'], text), expected: { a: told, b: 1 } },
        { name: 'a key', value: { [text]: text }, leak: leakAt([text], text, 'key'), expected: { [told]: text } },
        {
          name: 'a field below a key',
          value: { a: { b: text } },
          leak: leakAt(['a', 'b'], text),
          expected: { a: { b: told } },
        },
        { name: 'a number, which tells nothing', value: 7, leak: leakAt([], text), expected: 7 },
      ]
    for (const { name, value, leak, expected } of cases)
      it(name, () => expect(withoutLeaks(value, [], [leak])).to.deep.equal(expected))
  })

  describe('is the error of an expression', () => {
    const reading = {
      flow: { rest: { origin: 'secret', trail: [] } },
      leaks: [],
      errors: [leakAt([], '${a}')],
      literals: [],
    } as const
    const run = (source: string) => {
      const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
      return witnessedExpression(expression, reading).evaluate({ input: { a: SECRET }, variable: () => undefined })
    }
    it('whose words are its own', () => {
      expect(() => run('$error(a)')).to.throw(`D3137: ${REDACTED}`)
    })
    it('but not one that the language has words for', () => {
      expect(() => run('a + 1')).to.throw(/^(?!.*redacted).*number/i)
    })
  })
})
