import { cpuUsage } from 'node:process'
import { expect } from 'chai'
import { Redactor } from '../../../src/core/base/redactor.ts'
import { Dice } from '../../support/dice.ts'
import { long } from '../../support/long-tests.ts'

const SECRET = 'Tr0ub4dor&3 "x"'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

interface Case {
  readonly name: string
  readonly hidden: readonly string[]
  readonly shown?: readonly string[]
  readonly text: string
  readonly redacted: string
}

const CASES: readonly Case[] = [
  { name: 'a text within another', hidden: [SECRET], text: `a ${SECRET} b`, redacted: 'a <redacted> b' },
  {
    name: 'each time it stands there',
    hidden: ['hunter'],
    text: 'hunter, xhunterx',
    redacted: '<redacted>, x<redacted>x',
  },
  {
    name: 'as JSON quotes it',
    hidden: [SECRET],
    text: `value: ${JSON.stringify(SECRET)}`,
    redacted: 'value: "<redacted>"',
  },
  {
    name: 'all lines of it, as JSON quotes them',
    hidden: ['one line\nand another\n'],
    text: JSON.stringify({ key: 'one line\nand another\n' }),
    redacted: '{"key":"<redacted>"}',
  },
  { name: 'as base64', hidden: [SECRET], text: `data: ${base64(SECRET)}`, redacted: 'data: <redacted>' },
  {
    name: 'as base64 for URLs',
    hidden: ['~~~~hunter>>>>'],
    text: `?p=${Buffer.from('~~~~hunter>>>>').toString('base64url')}&q`,
    redacted: '?p=<redacted>&q',
  },
  { name: 'in plain, when its base64 was given', hidden: [base64(SECRET)], text: SECRET, redacted: '<redacted>' },
  {
    name: 'letters beyond ASCII, when its base64 was given',
    hidden: [base64('größer als')],
    text: 'it is größer als',
    redacted: 'it is <redacted>',
  },
  {
    name: 'without the white space around it',
    hidden: ['hunter\n'],
    text: 'is hunter ok',
    redacted: 'is <redacted> ok',
  },
  {
    name: 'in base64 with and without the white space around it',
    hidden: ['hunter2\n'],
    text: `${base64('hunter2\n')} ${base64('hunter2')}`,
    redacted: '<redacted> <redacted>',
  },
  { name: 'no part of it', hidden: ['0123456789abcdef'], text: 'x 0123456789abcde y', redacted: 'x 0123456789abcde y' },
  { name: 'no other case of it', hidden: ['hunter22'], text: 'HUNTER22', redacted: 'HUNTER22' },
  { name: 'no short text', hidden: ['admin', 'true', '5432'], text: 'admin: true 5432', redacted: 'admin: true 5432' },
  {
    name: 'nothing that was shown, whatever is hidden',
    hidden: ['postgres'],
    shown: ['waiting for postgres'],
    text: 'waiting for postgres: postgres',
    redacted: 'waiting for postgres: postgres',
  },
  {
    name: 'all of what is longer than what was shown',
    hidden: ['postgres://app:pw@db', 'postgres'],
    shown: ['postgres'],
    text: 'no route to postgres://app:pw@db',
    redacted: 'no route to <redacted>',
  },
  { name: 'neighbours as one', hidden: ['hunter', 'secret'], text: 'huntersecret.', redacted: '<redacted>.' },
  { name: 'what overlaps as one', hidden: ['hunter22', '22secret'], text: 'hunter22secret.', redacted: '<redacted>.' },
  { name: 'the longer of two', hidden: ['hunter', 'hunter22'], text: 'a hunter22', redacted: 'a <redacted>' },
  { name: 'a text with half a character', hidden: ['abcdef\ud800'], text: 'abcdef\ud800', redacted: '<redacted>' },
  { name: 'a text that only looks like base64', hidden: ['password'], text: 'my password', redacted: 'my <redacted>' },
  { name: 'nothing when nothing is hidden', hidden: [], text: 'a text', redacted: 'a text' },
]

describe('a redactor takes out', () => {
  for (const { name, hidden, shown = [], text, redacted } of CASES) {
    it(name, () => {
      const redactor = new Redactor()
      for (const one of hidden) redactor.hide(one)
      for (const one of shown) redactor.show(one)
      expect(redactor.redact(text)).to.equal(redacted)
    })
  }

  it('what is hidden and shown between two searches', () => {
    const redactor = new Redactor(['inherited'])
    expect(redactor.redact('inherited hunter22')).to.equal('<redacted> hunter22')
    redactor.hide('hunter22')
    expect(redactor.redact('inherited hunter22')).to.equal('<redacted> <redacted>')
    redactor.show('inherited')
    expect(redactor.redact('inherited hunter22')).to.equal('inherited <redacted>')
  })

  it('exactly what a search for each text alone finds', () => {
    const dice = new Dice(7)
    for (let round = 0; round < 200; round++) {
      const hidden = Array.from({ length: 1 + dice.below(30) }, () => dice.text('ab-', 6 + dice.below(6)).trim())
      const text = dice.text('ab-', 300)
      const covered = [...text].map((_, at) =>
        hidden.some((one) => text.slice(Math.max(0, at - one.length + 1), at + one.length).includes(one)),
      )
      expect(new Redactor(hidden).redact(text), `${text} without ${hidden.join(' ')}`).to.equal(replaced(text, covered))
    }
  })
})

function replaced(text: string, covered: readonly boolean[]): string {
  const kept = [...text].map((character, at) => (covered[at] ? '\0' : character)).join('')
  return kept.replaceAll(/\0+/g, '<redacted>')
}

describe('a redactor of very much', () => {
  const noise = (seed: number): string => new Dice(seed).text('abcdefghijklmnopqrstuvwxyz0123456789/+', 40)

  long.it('still says what holds nothing of it, and takes out the first and the last of it', () => {
    const redactor = new Redactor(Array.from({ length: 50_000 }, (_, seed) => noise(seed)))
    expect(redactor.redact('waiting for the database')).to.equal('waiting for the database')
    expect(redactor.redact(`${noise(0)} and ${noise(49_999)}`)).to.equal('<redacted> and <redacted>')
  })

  it('looks through a message in well under a millisecond', () => {
    const redactor = new Redactor(Array.from({ length: 2_000 }, (_, seed) => noise(seed)))
    const message = 'the object ConfigMap default/web is not ready: the database waits. '.repeat(30)
    redactor.redact(message)
    const began = cpuUsage()
    for (let round = 0; round < 100; round++) redactor.redact(message)
    expect(cpuUsage(began).user / 100).to.be.lessThan(1_000)
  })

  const ATTACKS: readonly { readonly name: string; readonly hidden: readonly string[] }[] = [
    {
      name: 'many that begin alike',
      hidden: Array.from({ length: 50_000 }, (_, index) => `${'a'.repeat(20)}${index}a`),
    },
    {
      name: 'a long one that almost stands everywhere',
      hidden: [`b${'a'.repeat(100_000)}`, `${'a'.repeat(99_000)}ba`],
    },
    { name: 'a long one that stands everywhere', hidden: ['a'.repeat(100_000)] },
  ]
  for (const { name, hidden } of ATTACKS) {
    long.it(`ends its search of a text that is made to take long, and takes out the rest of it: ${name}`, () => {
      expect(new Redactor(hidden).redact(`text: ${'a'.repeat(1_000_000)}`)).to.match(/^text: a*<redacted>$/)
    })
  }
})

describe('a redactor knows', () => {
  it('which texts the next one is to begin with', () => {
    const redactor = new Redactor(['inherited'])
    for (const text of ['hunter22', 'short', 'web-db']) redactor.hide(text)
    redactor.show('web-db')
    expect([...redactor.texts('own')]).to.deep.equal(['hunter22', 'web-db'])
    expect([...redactor.texts('all')]).to.deep.equal(['inherited', 'hunter22', 'web-db'])
  })
})
