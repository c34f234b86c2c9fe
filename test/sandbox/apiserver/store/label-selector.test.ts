import { expect } from 'chai'
import { explain } from '../../../../src/core/base/coded-error.ts'
import { compileLabelSelector } from '../../../../src/sandbox/apiserver/store/label-selector.ts'

const OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: {},
  web: { app: 'web', tier: 'front' },
  db: { app: 'db', size: '12' },
  empty: { app: '' },
  odd: { in: 'in', app: 'notin' },
}

describe('Label selectors', () => {
  const matching: Readonly<Record<string, readonly string[]>> = {
    '': ['plain', 'web', 'db', 'empty', 'odd'],
    ' ': ['plain', 'web', 'db', 'empty', 'odd'],
    app: ['web', 'db', 'empty', 'odd'],
    '!app': ['plain'],
    '! app': ['plain'],
    'app=web': ['web'],
    'app == web': ['web'],
    'app!=web': ['plain', 'db', 'empty', 'odd'],
    'app=': ['empty'],
    'app=,tier': [],
    'app in (web, db)': ['web', 'db'],
    'app in (web,)': ['web', 'empty'],
    'app in (,web)': ['web', 'empty'],
    'app in ()': ['empty'],
    'app notin (web,db)': ['plain', 'empty', 'odd'],
    'app in (in,notin)': ['odd'],
    'in=in': ['odd'],
    'app=notin': ['odd'],
    'size>11': ['db'],
    'size<11': [],
    'app,!tier,app!=db': ['empty', 'odd'],
  }
  for (const [selector, expected] of Object.entries(matching)) {
    it(`"${selector}" selects ${expected.join(', ') || 'nothing'}`, () => {
      const matches = compileLabelSelector(selector)
      const found = Object.entries(OBJECTS).filter(([, labels]) => matches(labels))
      expect(found.map(([name]) => name)).to.deep.equal(expected)
    })
  }

  it('match objects without labels', () => expect(compileLabelSelector('!a')(undefined)).to.equal(true))

  const refused: Readonly<Record<string, string>> = {
    'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    'a=b c': "found 'c', expected: ',' or 'end of string'",
    'a,': "found '', expected: identifier after ','",
    ',a': "found ',', expected: !, identifier, or 'end of string'",
    '=a': "found '=', expected: !, identifier, or 'end of string'",
    '!': "unable to parse requirement: found '', expected: identifier",
    'a in b': "unable to parse requirement: found 'b' expected: '('",
    'a in (b': "unable to parse requirement: found '', expected: ',' or ')'",
    'a in (b,!)': "unable to parse requirement: found '!', expected: ',', or identifier",
    'a==!': "unable to parse requirement: found '!', expected: identifier",
    'a>x':
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  }
  for (const [selector, message] of Object.entries(refused)) {
    it(`"${selector}" is refused`, () => {
      expect(messageOf(() => compileLabelSelector(selector))).to.equal(message)
    })
  }

  for (const selector of ['A_/b=c', 'a=b:c', 'a/b/c']) {
    it(`"${selector}" is refused for its characters`, () => {
      expect(messageOf(() => compileLabelSelector(selector))).to.match(/^unable to parse requirement: .*Invalid value/)
    })
  }
})

function messageOf(work: () => unknown): string {
  try {
    work()
    return 'nothing was thrown'
  } catch (error) {
    return explain(error)
  }
}
