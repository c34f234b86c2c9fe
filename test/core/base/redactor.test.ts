import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { Redactor } from '../../../src/core/base/redactor.ts'

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
    name: 'as JSON and Go quote it',
    hidden: [SECRET],
    text: `value: ${JSON.stringify(SECRET)}`,
    redacted: 'value: "<redacted>"',
  },
  {
    name: 'as it stands in a URL',
    hidden: [SECRET],
    text: `?p=${encodeURIComponent(SECRET)}`,
    redacted: '?p=<redacted>',
  },
  { name: 'as base64', hidden: [SECRET], text: `data: ${base64(SECRET)}`, redacted: 'data: <redacted>' },
  { name: 'in plain, when its base64 was given', hidden: [base64(SECRET)], text: SECRET, redacted: '<redacted>' },
  {
    name: 'without the white space around it',
    hidden: ['hunter\n'],
    text: 'is hunter ok',
    redacted: 'is <redacted> ok',
  },
  {
    name: 'a part of it, when that is long',
    hidden: ['0123456789abcdef'],
    text: 'x 456789ab y',
    redacted: 'x <redacted> y',
  },
  {
    name: 'a short part of it, when that is no word',
    hidden: ['correct-hors3-battery'],
    text: 'x hors3- y',
    redacted: 'x <redacted> y',
  },
  { name: 'no short part that is a word', hidden: ['correct-horse-battery'], text: 'a battery', redacted: 'a battery' },
  { name: 'no part that is shorter', hidden: ['0123456789abcdef'], text: 'x 9abcd y', redacted: 'x 9abcd y' },
  {
    name: 'as it stands in the JSON of a text of JSON',
    hidden: ['Tr0"ub4'],
    text: JSON.stringify({ quoted: JSON.stringify({ p: 'Tr0"ub4' }) }),
    redacted: '{"quoted":"{\\"p\\":\\"<redacted>\\"}"}',
  },
  {
    name: 'where a hidden text of JSON holds it in base64, as the logins of registries do',
    hidden: [base64(JSON.stringify({ auths: { 'example.com': { auth: base64(`user:${SECRET}`) } } }))],
    text: `password=${SECRET}, in {JSON`,
    redacted: 'password=<redacted>, in {JSON',
  },
  {
    name: 'as it stands in the base64 of a login',
    hidden: [SECRET],
    text: `auth: ${base64(`user:${SECRET}.`)}`,
    redacted: `auth: ${base64(`user:${SECRET}.`).slice(0, 7)}<redacted>${base64(`user:${SECRET}.`).slice(-2)}`,
  },
  {
    name: 'as it stands in the base64 that JSONata makes of letters beyond ASCII',
    hidden: ['größer als'],
    text: Buffer.from('größer als', 'latin1').toString('base64'),
    redacted: '<redacted>',
  },
  {
    name: 'as JSONata reads letters beyond ASCII from base64',
    hidden: [base64('größer als')],
    text: Buffer.from('größer als').toString('latin1'),
    redacted: '<redacted>',
  },
  {
    name: 'as it stands in the base64 of a longer text, for URLs',
    hidden: ['~~~~hunter>>>>'],
    text: Buffer.from('a~~~~hunter>>>>b').toString('base64url'),
    redacted: 'YX<redacted>Yg',
  },
  { name: 'in small letters', hidden: ['CorrectHorse'], text: 'x correcthorse y', redacted: 'x <redacted> y' },
  { name: 'in capitals', hidden: ['correct horse'], text: 'THE CORRECT HORSE', redacted: 'THE <redacted>' },
  {
    name: 'all of it, where blanks were lost',
    hidden: ['Tr0ub4dor  and  3more'],
    text: 'is Tr0ub4dor and 3more',
    redacted: 'is <redacted>',
  },
  {
    name: 'a part of a name that was made of it',
    hidden: ['Correct: Horse, Battery'],
    text: 'no horse-bat here',
    redacted: 'no <redacted> here',
  },
  {
    name: 'a short part of such a name, when that is no word',
    hidden: ['Correct: H0R-SES, Battery'],
    text: 'no h0r.ses here',
    redacted: 'no <redacted> here',
  },
  {
    name: 'no short part of such a name that is a word',
    hidden: ['Correct: Ho-rse, Battery'],
    text: 'no horse here, correct?',
    redacted: 'no horse here, correct?',
  },
  { name: 'a name that a short text leaves', hidden: ['Sec!re:t'], text: 'the se-cret', redacted: 'the <redacted>' },
  { name: 'no name that has too little of it', hidden: ['a-b-c-d'], text: 'abcd', redacted: 'abcd' },
  { name: 'in a URL of small letters', hidden: ['Ab1/Cd2/Ef3'], text: '?p=ab1%2fcd2%2fef3', redacted: '?p=<redacted>' },
  {
    name: 'as it stands in a URL that is cut',
    hidden: ['größer als'],
    text: '?p=r%C3%B6%C3%9Fer%20al&q=%C3',
    redacted: '?p=<redacted>&q=%C3',
  },
  {
    name: 'as Go prints JSON',
    hidden: ['Ab1&Cd2<Ef3'],
    text: '"Ab1\\u0026Cd2\\u003cEf3"',
    redacted: '"<redacted>"',
  },
  {
    name: 'as JSON of nothing but ASCII',
    hidden: ['пароль-да'],
    text: '"\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c-\\u0434\\u0430"',
    redacted: '"<redacted>"',
  },
  { name: 'as Go quotes bytes', hidden: ['a\x01b\x02c\x03d'], text: '"a\\x01b\\x02c\\x03d"', redacted: '"<redacted>"' },
  {
    name: 'in the base64 of what a URL has of it',
    hidden: ['Ab1/Cd2/Ef3/Gh4'],
    text: base64(`db://u:${encodeURIComponent('Ab1/Cd2/Ef3/Gh4')}@h`),
    redacted: 'ZGI6Ly91Ok<redacted>EBo',
  },
  {
    name: 'in the base64 of its JSON, with letters beyond ASCII',
    hidden: ['größer als'],
    text: base64('{"p":"gr\\u00f6\\u00dfer als"}'),
    redacted: 'eyJwIjoi<redacted>MifQ==',
  },
  {
    name: 'in capitals, where one letter has two',
    hidden: ['straßen22'],
    text: 'x STRASSEN22',
    redacted: 'x <redacted>',
  },
  {
    name: 'the values in a text of JSON, not the names of its fields',
    hidden: [JSON.stringify({ username: 'somebody', password: 'pw123456', port: 54_321_000 })],
    text: 'password or username missing: somebody, pw123456, 54321000',
    redacted: 'password or username missing: <redacted>, <redacted>, <redacted>',
  },
  {
    name: 'what is in a certificate, not what all begin with',
    hidden: ['-----BEGIN CERTIFICATE-----\nMIIB1234\n-----END CERTIFICATE-----\n'],
    text: 'Certificate web: CERTIFICATE MIIB1234',
    redacted: 'Certificate web: CERTIFICATE <redacted>',
  },
  { name: 'no short text', hidden: ['admin'], text: 'admin is missing', redacted: 'admin is missing' },
  {
    name: 'nothing that was shown, whatever is hidden',
    hidden: ['postgres'],
    shown: ['waiting for postgres'],
    text: 'waiting for postgres: postgres',
    redacted: 'waiting for postgres: postgres',
  },
  {
    name: 'all of what is longer than what was shown',
    hidden: ['postgres://app:pw@db'],
    shown: ['postgres'],
    text: 'no route to postgres://app:pw@db',
    redacted: 'no route to <redacted>',
  },
  {
    name: 'neighbours as one',
    hidden: ['hunter', 'secret'],
    text: 'huntersecret.',
    redacted: '<redacted>.',
  },
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

  it('nothing that is shown only somewhere far down in very much', () => {
    const redactor = new Redactor()
    redactor.hide('hunter22')
    for (let index = 0; index < 60; index++) redactor.show(`${index} ${'x'.repeat(1_000_000)}`)
    redactor.show('the hunter22')
    expect(redactor.redact('a hunter22')).to.equal('a <redacted>')
  })

  it('in a time that does not grow with how often a part repeats', () => {
    const redactor = new Redactor()
    redactor.hide('a'.repeat(200_000))
    expect(redactor.redact('a'.repeat(20_000))).to.equal('<redacted>')
  })
})

describe('a redactor of so much that it cannot know all parts', () => {
  const PASSWORD = 'Correct "Horse"! Battery'
  const LOGIN = JSON.stringify({
    auths: { 'example.com': { auth: base64(`user:${PASSWORD}`), email: 'who@example.com' } },
  })
  const redactor = new Redactor()
  before(() => {
    for (let index = 0; index < 8; index++) redactor.hide(noise(index))
    for (const text of [
      PASSWORD,
      LOGIN,
      'first line\nsecond line\n',
      '-----BEGIN KEY-----\nMIIB1234\n-----END KEY-----',
      'host: db.example.com\npassword="hunter2222"\n',
    ])
      redactor.hide(text)
    redactor.show('second line')
  })

  const told: readonly (readonly [string, string, string])[] = [
    ['nothing of a text that holds none', 'waiting for the database', 'waiting for the database'],
    ['a whole text', `it is ${PASSWORD}.`, 'it is <redacted>.'],
    ['a whole text in capitals', PASSWORD.toUpperCase(), '<redacted>'],
    ['a whole text in base64', `data: ${base64(PASSWORD)}`, 'data: <redacted>'],
    ['a whole text in JSON', JSON.stringify({ a: PASSWORD }), '{"a":"<redacted>"}'],
    ['a whole text in a URL', `?p=${encodeURIComponent(PASSWORD)}`, '?p=<redacted>'],
    ['a name that was made of a whole text', 'no correct-horse-battery here', 'no <redacted> here'],
    ['a value in a text of JSON', 'mail to who@example.com', 'mail to <redacted>'],
    ['a line', 'it has a first line', 'it has a <redacted>'],
    ['no line that is shown', 'it has a second line', 'it has a second line'],
    ['a line of a certificate, not what all begin with', 'KEY: MIIB1234', 'KEY: <redacted>'],
    ['the value of a setting', 'it is hunter2222', 'it is <redacted>'],
    ['a very long text', `x ${noise(7)} y`, 'x <redacted> y'],
    ['a part of what was hidden first', `x ${noise(0).slice(1_000, 1_020)} y`, 'x <redacted> y'],
    ['no part of what was hidden last', 'the battery', 'the battery'],
  ]
  for (const [what, text, redacted] of told) {
    it(`takes out ${what}`, () => expect(redactor.redact(text)).to.equal(redacted))
  }

  it('takes out all of a text from where it takes too long to search it', () => {
    const slow = new Redactor()
    for (let index = 0; index < 8; index++) slow.hide(noise(index))
    for (let index = 0; index < 400; index++) slow.hide(`${'a'.repeat(1_000)}${index}`)
    expect(slow.redact(`text: ${'a'.repeat(2_000)}`)).to.match(/^text: a*<redacted>$/)
  })
})

/** A long text without rhyme or reason, the same in each run. */
function noise(seed: number): string {
  return createHash('shake256', { outputLength: 200_000 }).update(String(seed)).digest('base64')
}

/** Texts as people choose passwords. */
const CHOSEN = ['aFbunt"pz\\Qw:+esgze/y', 'Correct, "Horse"! Battery', 'x:7-Z_q w.3+ä=k/9 pö', "it's  4 o'clock, 5 & 6"]

/** How roles make names of objects of them. */
const NAMES: Readonly<Record<string, (text: string) => string>> = {
  'without what it cannot have': (text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''),
  'in its own capitals': (text) => text.replace(/[^A-Za-z0-9]/g, ''),
  'in capitals': (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, '_'),
  'with dashes': (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '-'),
  'with one dash for many': (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  'with dots in dashes': (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-.-'),
  quoted: (text) => JSON.stringify(text.toLowerCase()).slice(1, -1),
}

describe('a redactor leaves nothing of a name', () => {
  for (const [how, nameOf] of Object.entries(NAMES))
    for (const text of CHOSEN) {
      // Names begin and end with a letter or digit.
      const name = nameOf(text).replace(/^[-._]+|[-._]+$/g, '')
      it(`${how}: ${name}`, () => {
        const redactor = new Redactor()
        redactor.hide(text)
        expect(redactor.redact(`ConfigMap "${name}" is gone`)).to.equal('ConfigMap "<redacted>" is gone')
      })
    }
})

describe('a redactor finds', () => {
  const redactor = new Redactor(['inherited'])
  redactor.hide('hunter22')
  redactor.hide('web-db')
  redactor.show('web-db')
  const HOLDS: readonly (readonly [string, boolean])[] = [
    ['x hunter22 y', true],
    [base64('hunter22'), true],
    ['inherited', true],
    ['hunter2', false],
    ['the web-db is there', false],
  ]
  for (const [text, holds] of HOLDS) {
    it(`${holds ? 'a' : 'no'} hidden text in "${text}"`, () => expect(redactor.holds(text)).to.equal(holds))
  }

  it('which texts the next one is to begin with', () => {
    expect([...redactor.texts('own')]).to.deep.equal(['hunter22', 'web-db'])
    expect([...redactor.texts('all')]).to.deep.equal(['inherited', 'hunter22', 'web-db'])
  })
})
