import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { REDACTED } from '../../../../src/core/base/redactor.ts'
import { compileExpression } from '../../../../src/engine/expression/compile-expression.ts'
import { type Flow, SECRET_MARK } from '../../../../src/engine/expression/flow/flow.ts'
import { ROLE_FUNCTIONS } from '../../../../src/engine/role/functions/functions.ts'
import { toFailedOutcome } from '../../../../src/engine/role/run/to-failed-outcome.ts'
import { redactEvent, redactRun } from '../../../../src/engine/role/secrecy/redact-outcome.ts'
import { Secrecy } from '../../../../src/engine/role/secrecy/secrecy.ts'
import { trackedExpression } from '../../../../src/engine/role/secrecy/tracked-template.ts'
import { type Leak, valueFlow } from '../../../../src/engine/role/secrecy/value-flow.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const SECRET = 'correct-horse-battery'

function leakAt(path: Leak['path'], text: string, at: Leak['at'] = 'value'): Leak {
  return { path, at, offset: text.indexOf('${') + 2, length: text.indexOf('}') - text.indexOf('${') - 2, trail: [] }
}

describe('redaction of values of Secrets', () => {
  it('hides all texts of a hidden value', () => {
    const secrecy = new Secrecy()
    secrecy.hide({ list: [SECRET, 7], other: null })
    expect(secrecy.redact(`it is ${SECRET}`)).to.equal(`it is ${REDACTED}`)
  })

  it('keeps the reason of an event one word', () => {
    const secrecy = new Secrecy()
    secrecy.hide(SECRET)
    const event = { type: 'Normal', reason: SECRET, message: `got ${SECRET}` } as const
    expect(redactEvent(event, secrecy)).to.deep.equal({
      type: 'Normal',
      reason: 'Redacted',
      message: `got ${REDACTED}`,
    })
  })

  it('hides numbers and names of fields, however deep', () => {
    const secrecy = new Secrecy()
    secrecy.hide([SECRET, 83_920_174])
    const value = { list: [{ [SECRET]: 83_920_174, other: null }], port: 8080 }
    const redacted = { list: [{ [REDACTED]: REDACTED, other: null }], port: 8080 }
    expect(secrecy.redactValue(value)).to.deep.equal(redacted)
  })

  it('leaves a value that shows nothing unchanged', () => {
    const secrecy = new Secrecy()
    secrecy.hide(SECRET)
    const value = { list: [{ name: 'web' }, 7, true, null] }
    expect(secrecy.redactValue(value)).to.deep.equal(value)
  })

  it('hides a value in the message of a failure that occurred before the Secret was read', () => {
    const secrecy = new Secrecy()
    const outcome = toFailedOutcome(new TaskFailure('Failed', `it is ${SECRET}`))
    secrecy.hide(SECRET)
    const { stoppedBy } = redactRun({ complete: false, stoppedBy: { task: 'One', outcome }, tasks: [] }, secrecy)
    expect(stoppedBy?.outcome).to.have.nested.property('error.message', `it is ${REDACTED}`)
    expect(redactRun({ complete: true, tasks: [] }, secrecy)).to.deep.equal({ complete: true, tasks: [] })
  })

  describe('hides expressions that would show a value', () => {
    const text = 'a ${$secret} b $${c}'
    const redacted = `a ${REDACTED} b $\${c}`
    const cases: readonly { name: string; value: JsonValue; expected: JsonValue }[] = [
      { name: 'a text', value: text, expected: redacted },
      { name: 'a text with two of them', value: '${$secret}${ $secret & "}" }!', expected: `${REDACTED}${REDACTED}!` },
      { name: 'a text beside a harmless expression', value: '${1}${$secret}', expected: `\${1}${REDACTED}` },
      { name: 'an item of a list', value: ['x', text], expected: ['x', redacted] },
      { name: 'a field', value: { a: text, b: 1 }, expected: { a: redacted, b: 1 } },
      { name: 'a key', value: { [text]: 'x' }, expected: { [redacted]: 'x' } },
      { name: 'a field below a key', value: { a: { b: text } }, expected: { a: { b: redacted } } },
      { name: 'a number, which shows nothing', value: 7, expected: 7 },
    ]
    const flows = (): Flow => ({ rest: SECRET_MARK })
    for (const { name, value, expected } of cases)
      it(name, () =>
        expect(valueFlow(value, ['message'], { functions: ROLE_FUNCTIONS, flows }).shown).to.deep.equal(expected),
      )
  })

  describe('hides values in the error of an expression', () => {
    const reading = {
      flow: { rest: { origin: 'secret', trail: [] } },
      leaks: [],
      errors: [leakAt([], '${a}')],
      literals: [],
      shown: REDACTED,
    } as const
    const run = (source: string) => {
      const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
      return trackedExpression(expression, reading).evaluate({ input: { a: SECRET }, variable: () => undefined })
    }
    it('that makes its message itself', () => {
      expect(() => run('$error(a)')).to.throw(`D3137: ${REDACTED}`)
    })
    it('but not in a message of the language', () => {
      expect(() => run('a + 1')).to.throw(/^(?!.*redacted).*number/i)
    })
  })
})
