import { expect } from 'chai'
import { RequestAllowance } from '../../../../src/engine/reconcile/run/reconcile-context.ts'

interface Spending {
  readonly name: string
  /** Requests, and the milliseconds since the beginning. */
  readonly runs: readonly (readonly [requests: number, at: number])[]
  readonly at: number
  readonly pause: number
}

const DAY = 86_400_000
/** 50 a second, for an hour. */
const STEADY = Array.from({ length: 3_600 }, (_, second) => [50, second * 1_000] as const)

const SPENDINGS: readonly Spending[] = [
  { name: 'before it has asked anything', runs: [], at: 0, pause: 0 },
  { name: 'after all of it at once', runs: [[10_000, 0]], at: 0, pause: 0 },
  { name: 'after one more', runs: [[10_001, 0]], at: 0, pause: 20 },
  { name: 'after many more, of one run', runs: [[15_000, 0]], at: 0, pause: 100_000 },
  {
    name: 'after many small runs at once',
    runs: Array.from({ length: 1_001 }, () => [10, 0] as const),
    at: 0,
    pause: 200,
  },
  { name: 'after many more, when the time is half over', runs: [[15_000, 0]], at: 50_000, pause: 50_000 },
  { name: 'after many more, when the time is over', runs: [[15_000, 0]], at: 100_000, pause: 0 },
  { name: 'after 50 a second for an hour', runs: STEADY, at: 3_600_000, pause: 0 },
  {
    name: 'after all of it, a day at rest, and all of it',
    runs: [
      [10_000, 0],
      [10_000, DAY],
    ],
    at: DAY,
    pause: 0,
  },
  { name: 'after a day at rest, and more than all of it', runs: [[10_050, DAY]], at: DAY, pause: 1_000 },
]

describe('the requests of one resource', () => {
  for (const { name, runs, at, pause } of SPENDINGS) {
    it(`${pause === 0 ? 'do not wait' : `wait ${pause} ms`} ${name}`, () => {
      const allowance = new RequestAllowance()
      for (const [requests, when] of runs) allowance.spend(requests, when)
      expect(allowance.pause(at)).to.equal(pause)
    })
  }
})
