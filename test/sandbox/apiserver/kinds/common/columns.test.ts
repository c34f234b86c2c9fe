import { expect } from 'chai'
import { ageOf, humanDuration } from '../../../../../src/sandbox/apiserver/kinds/common/columns.ts'
import { printSelector } from '../../../../../src/sandbox/apiserver/kinds/common/print-selector.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('columns', () => {
  const durations = [
    { milliseconds: -5 * SECOND, text: '<invalid>' },
    { milliseconds: -500, text: '0s' },
    { milliseconds: 0, text: '0s' },
    { milliseconds: 119 * SECOND, text: '119s' },
    { milliseconds: 2 * MINUTE, text: '2m' },
    { milliseconds: 3 * MINUTE + 20 * SECOND, text: '3m20s' },
    { milliseconds: 10 * MINUTE + 20 * SECOND, text: '10m' },
    { milliseconds: 179 * MINUTE, text: '179m' },
    { milliseconds: 3 * HOUR + 5 * MINUTE, text: '3h5m' },
    { milliseconds: 9 * HOUR + 5 * MINUTE, text: '9h' },
    { milliseconds: 47 * HOUR, text: '47h' },
    { milliseconds: 2 * DAY + 3 * HOUR, text: '2d3h' },
    { milliseconds: 9 * DAY + 3 * HOUR, text: '9d' },
    { milliseconds: 729 * DAY, text: '729d' },
    { milliseconds: 740 * DAY, text: '2y10d' },
    { milliseconds: 9 * 365 * DAY, text: '9y' },
  ]
  for (const { milliseconds, text } of durations) {
    it(`${milliseconds} ms are ${text}`, () => expect(humanDuration(milliseconds)).to.equal(text))
  }

  it('do not know the age of what has no time', () => {
    expect([ageOf(null, 0), ageOf(undefined, 0)]).to.deep.equal(['<unknown>', '<unknown>'])
  })

  it('print selectors as kubectl takes them', () => {
    const matchExpressions = [{ key: 'tier', operator: 'In', values: ['b', 'a'] }]
    expect(printSelector({ matchLabels: { app: 'web' }, matchExpressions })).to.equal('app=web,tier in (a,b)')
    expect(printSelector({ matchExpressions: [{ key: 'a b', operator: 'Exists' }] })).to.equal('<error>')
    expect([printSelector({ matchLabels: {} }), printSelector({ b: '2', a: '1' })]).to.deep.equal(['<none>', 'a=1,b=2'])
  })
})
