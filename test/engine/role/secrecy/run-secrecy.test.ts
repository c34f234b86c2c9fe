import { expect } from 'chai'
import { redactThrown } from '../../../../src/engine/role/secrecy/redact-outcome.ts'
import { RunSecrecy } from '../../../../src/engine/role/secrecy/run-secrecy.ts'
import { Secrecy } from '../../../../src/engine/role/secrecy/secrecy.ts'

describe('RunSecrecy', () => {
  const hush = new Secrecy(['s3cret-value'])

  it('hides what the run that goes on hides, also after it has waited', async () => {
    const secrecy = new RunSecrecy()
    const redacted = await secrecy.during(
      () => hush,
      async () => {
        await Promise.resolve()
        return [secrecy.redact('it is s3cret-value'), secrecy.redactValue({ a: ['s3cret-value'] })]
      },
    )
    expect(redacted).to.deep.equal(['it is <redacted>', { a: ['<redacted>'] }])
  })

  it('leaves a text outside of runs unchanged: no run has read a Secret for it', () =>
    expect(new RunSecrecy().redact('it is s3cret-value')).to.equal('it is s3cret-value'))
})

describe('redactThrown', () => {
  const hush = new Secrecy(['s3cret-value'])

  it('passes on an error that shows nothing', () => {
    const error = new TypeError('no such field')
    expect(redactThrown(error, hush)).to.equal(error)
  })

  it('redacts the message of an error that shows something, its causes included', () => {
    const error = new Error('cannot send', { cause: new Error('s3cret-value is too long') })
    expect(redactThrown(error, hush)).to.have.property('message', 'cannot send: <redacted> is too long')
  })
})
