import { expect } from 'chai'
import { redactThrown } from '../../../src/engine/role/redact-outcome.ts'
import { RunSecrecy } from '../../../src/engine/role/run-secrecy.ts'
import { Secrecy } from '../../../src/engine/role/secrecy.ts'

describe('RunSecrecy', () => {
  const hush = new Secrecy(['s3cret-value'])

  it('hides what the run that goes on hides, also after it has waited', async () => {
    const secrecy = new RunSecrecy()
    const told = await secrecy.during(
      () => hush,
      async () => {
        await Promise.resolve()
        return [secrecy.redact('it is s3cret-value'), secrecy.redactValue({ a: ['s3cret-value'] })]
      },
    )
    expect(told).to.deep.equal(['it is <redacted>', { a: ['<redacted>'] }])
  })

  it('leaves what is told outside of runs as it is: nobody has read anything for it', () =>
    expect(new RunSecrecy().redact('it is s3cret-value')).to.equal('it is s3cret-value'))
})

describe('redactThrown', () => {
  const hush = new Secrecy(['s3cret-value'])

  it('hands on an error that tells nothing', () => {
    const error = new TypeError('no such field')
    expect(redactThrown(error, hush)).to.equal(error)
  })

  it('words an error anew that tells something, its causes included', () => {
    const error = new Error('cannot send', { cause: new Error('s3cret-value is too long') })
    expect(redactThrown(error, hush)).to.have.property('message', 'cannot send: <redacted> is too long')
  })
})
