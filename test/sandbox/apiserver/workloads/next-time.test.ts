import { expect } from 'chai'
import { checkSchedule, parseSchedule } from '../../../../src/sandbox/apiserver/kinds/common/schedule.ts'
import { nextTime } from '../../../../src/sandbox/apiserver/workloads/common/next-time.ts'

describe('schedules', () => {
  const cases = [
    { schedule: '*/15 * * * *', from: '2026-01-01T00:00:00Z', zone: 'UTC', next: '2026-01-01T00:15:00Z' },
    { schedule: '0 12 * * *', from: '2026-01-01T12:00:00Z', zone: 'UTC', next: '2026-01-02T12:00:00Z' },
    { schedule: '30 6 1 mar *', from: '2026-01-01T00:00:00Z', zone: 'UTC', next: '2026-03-01T06:30:00Z' },
    { schedule: '0 0 * * mon-fri', from: '2026-01-03T00:00:00Z', zone: 'UTC', next: '2026-01-05T00:00:00Z' },
    { schedule: '0 0 13 * fri', from: '2026-01-01T00:00:00Z', zone: 'UTC', next: '2026-01-02T00:00:00Z' },
    { schedule: '0 0 29 2 *', from: '2026-01-01T00:00:00Z', zone: 'UTC', next: '2028-02-29T00:00:00Z' },
    { schedule: '@hourly', from: '2026-01-01T00:30:00Z', zone: 'UTC', next: '2026-01-01T01:00:00Z' },
    { schedule: '0 9 * * *', from: '2026-01-01T00:00:00Z', zone: 'America/New_York', next: '2026-01-01T14:00:00Z' },
    { schedule: '0 9 * * *', from: '2026-07-01T00:00:00Z', zone: 'Europe/Berlin', next: '2026-07-01T07:00:00Z' },
    { schedule: '5/20 * * * *', from: '2026-01-01T00:06:00Z', zone: 'UTC', next: '2026-01-01T00:25:00Z' },
    { schedule: '0 0 30 2 *', from: '2026-01-01T00:00:00Z', zone: 'UTC', next: undefined },
  ]
  for (const { schedule, from, zone, next } of cases) {
    it(`${schedule} in ${zone} after ${from} is ${next ?? 'never'}`, () => {
      const time = nextTime(parseSchedule(schedule), Date.parse(from), zone)
      expect(time === undefined ? undefined : `${new Date(time).toISOString().slice(0, 19)}Z`).to.equal(next)
    })
  }

  const mistakes = [
    { schedule: '* * * *', complaint: 'expected exactly 5 fields, found 4: [* * * *]' },
    { schedule: '60 * * * *', complaint: 'end of range (60) above maximum (59): 60' },
    { schedule: '* * 0 * *', complaint: 'beginning of range (0) below minimum (1): 0' },
    { schedule: '5-1 * * * *', complaint: 'beginning of range (5) beyond end of range (1): 5-1' },
    { schedule: '*/0 * * * *', complaint: 'step of range should be a positive number: */0' },
    { schedule: '1-2-3 * * * *', complaint: 'too many hyphens: 1-2-3' },
    { schedule: '1/2/3 * * * *', complaint: 'too many slashes: 1/2/3' },
    { schedule: '@never', complaint: 'unrecognized descriptor: @never' },
    { schedule: 'a * * * *', complaint: 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax' },
  ]
  for (const { schedule, complaint } of mistakes) {
    it(`${schedule} is no schedule`, () => expect(checkSchedule(schedule)).to.equal(complaint))
  }
})
