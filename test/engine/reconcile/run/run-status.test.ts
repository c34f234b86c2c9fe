import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { MOST_BYTES, RunStatus } from '../../../../src/engine/reconcile/run/new-ports.ts'
import { Secrecy } from '../../../../src/engine/role/secrecy/secrecy.ts'

const COMPLETE = { complete: true, tasks: [] } as const

describe('what tasks set of a status', () => {
  it('takes no more than half a mebibyte, all together', () => {
    const status = new RunStatus()
    status.set({ one: 'x'.repeat(MOST_BYTES / 2) })
    expect(() => status.set({ two: 'x'.repeat(MOST_BYTES / 2) })).to.throw('cannot set the status: it would take')
    expect(Object.keys(status.fields)).to.deep.equal(['one'])
  })
})

const LATE: readonly {
  readonly name: string
  readonly hidden: JsonValue
  readonly fields: JsonObject
  readonly path: string
}[] = [
  {
    name: 'a text deep within',
    hidden: 'correct-h0rse',
    fields: { deep: [{ it: 'at correct-h0rse' }] },
    path: 'deep[0].it',
  },
  { name: 'the name of a field', hidden: 'correct-h0rse', fields: { ports: { 'correct-h0rse': 1 } }, path: 'ports' },
  { name: 'a number', hidden: { pin: 83_920_174 }, fields: { pin: 83_920_174 }, path: 'pin' },
]

describe('a status with a value that the run hides', () => {
  for (const { name, hidden, fields, path } of LATE) {
    it(`fails the run and is left out, also when the Secret is read only afterwards: ${name}`, () => {
      const secrecy = new Secrecy()
      const status = new RunStatus(secrecy)
      status.set(fields)
      secrecy.hide(hidden)
      const { stoppedBy } = status.judge(COMPLETE)
      expect(stoppedBy?.outcome).to.have.nested.property('error.message').that.includes(`\`status.${path}\``)
      expect(status.fields).to.deep.equal({})
      expect(() => status.set(fields)).to.throw(`cannot set \`status.${path}\`: it would show a value of a Secret`)
    })
  }

  it('is not one that only has a part of it', () => {
    const secrecy = new Secrecy()
    const status = new RunStatus(secrecy)
    secrecy.hide('postgres://app:correct-h0rse@db.example.com')
    status.set({ host: 'db.example.com', port: 8_443_000 })
    expect(status.judge(COMPLETE)).to.equal(COMPLETE)
    expect(status.fields).to.deep.equal({ host: 'db.example.com', port: 8_443_000 })
  })
})
