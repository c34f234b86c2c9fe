import { expect } from 'chai'
import { formatAge, formatAgo, formatCount, formatDuration, formatName } from '../../../src/rolebook/ui/format.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('what people read', () => {
  const ages = [
    { milliseconds: -SECOND, shown: '0 s' },
    { milliseconds: 4_999, shown: '4 s' },
    { milliseconds: MINUTE - 1, shown: '59 s' },
    { milliseconds: MINUTE, shown: '1 min' },
    { milliseconds: HOUR - 1, shown: '59 min' },
    { milliseconds: HOUR, shown: '1 h' },
    { milliseconds: 2 * DAY - 1, shown: '47 h' },
    { milliseconds: 2 * DAY, shown: '2 d' },
  ]
  for (const { milliseconds, shown } of ages) {
    it(`has an age of ${milliseconds} ms as ${shown}`, () => expect(formatAge(milliseconds)).to.equal(shown))
  }

  it('says how long ago a time was, and nothing of a text that is no time', () => {
    const now = Date.parse('2026-01-01T00:12:00Z')
    expect(formatAgo('2026-01-01T00:00:00Z', now)).to.equal('12 min ago')
    expect(formatAgo('', now)).to.equal('')
  })

  const durations = [
    { milliseconds: 0.44, shown: '0.4 ms' },
    { milliseconds: 12.4, shown: '12 ms' },
    { milliseconds: 1500, shown: '1.5 s' },
    { milliseconds: 12_400, shown: '12 s' },
  ]
  for (const { milliseconds, shown } of durations) {
    it(`has a duration of ${milliseconds} ms as ${shown}`, () => {
      expect(formatDuration(milliseconds)).to.equal(shown)
    })
  }

  const counts = [
    { count: 0, shown: '0 objects' },
    { count: 1, shown: '1 object' },
    { count: 12_000, shown: '12,000 objects' },
  ]
  for (const { count, shown } of counts) {
    it(`counts ${shown}`, () => expect(formatCount(count, 'object')).to.equal(shown))
  }

  it('names a namespace where there is one', () => {
    expect(formatName({ namespace: 'team-a', name: 'web' })).to.equal('team-a/web')
    expect(formatName({ namespace: '', name: 'web' })).to.equal('web')
  })
})
