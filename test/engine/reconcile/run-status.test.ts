import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { MOST_BYTES, RunStatus } from '../../../src/engine/reconcile/status/status-report.ts'
import { Secrecy } from '../../../src/engine/role/secrecy.ts'

const COMPLETE = { complete: true, tasks: [] } as const

describe('what tasks set of a status', () => {
  it('takes no more than half a mebibyte, all together', () => {
    const status = new RunStatus()
    status.set({ one: 'x'.repeat(MOST_BYTES / 2) })
    expect(() => status.set({ two: 'x'.repeat(MOST_BYTES / 2) })).to.throw('cannot set the status: it would take')
    expect(Object.keys(status.fields)).to.deep.equal(['one'])
  })
})

interface Case {
  readonly name: string
  readonly hidden: string
  readonly fields: JsonObject
  /** Absent: the fields as they are. */
  readonly shown?: JsonObject
}

const PARTS: readonly Case[] = [
  {
    name: 'the message of a condition, where blanks were lost',
    hidden: 'my-  Tr0ub4dor',
    fields: { conditions: [{ type: 'Seen', status: 'True', message: 'my- Tr0ub4dor' }] },
    shown: { conditions: [{ type: 'Seen', status: 'True', message: '<redacted>' }] },
  },
  {
    name: 'a text deep within, without its beginning',
    hidden: 'correct-h0rse-battery',
    fields: { deep: [{ it: 'at h0rse-battery' }], ready: true },
    // Its `t` before `h0rse` stands here, too, whatever is between.
    shown: { deep: [{ it: 'a<redacted>' }], ready: true },
  },
  {
    name: 'the name of a field',
    hidden: 'correct-h0rse-battery',
    fields: { ports: { 'h0rse-battery': 1 } },
    shown: { ports: { '<redacted>': 1 } },
  },
  { name: 'a number', hidden: '0083920174', fields: { pin: 83_920_174 }, shown: { pin: '<redacted>' } },
  { name: 'nothing that resembles none', hidden: 'correct-h0rse', fields: { at: 'a horse, correct', port: 8_443_000 } },
]

describe('of a status with a part of what the run may not tell', () => {
  for (const { name, hidden, fields, shown = fields } of PARTS) {
    it(`is taken out: ${name}`, () => {
      const secrecy = new Secrecy()
      const status = new RunStatus(secrecy)
      status.set(fields)
      // Read only after the status was set.
      secrecy.hide(hidden)
      expect(status.judge(COMPLETE)).to.equal(COMPLETE)
      expect(status.fields).to.deep.equal(shown)
    })
  }

  it('a whole number fails the run', () => {
    const secrecy = new Secrecy()
    const status = new RunStatus(secrecy)
    secrecy.hide({ pin: 83_920_174 })
    expect(() => status.set({ note: 'it is 83920174' })).to.throw(
      'cannot set `status.note`: it would show a value of a Secret',
    )
    expect(() => status.set({ pin: 83_920_174 })).to.throw('cannot set `status.pin`: it would show a value of a Secret')
  })
})
