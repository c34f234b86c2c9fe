import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { IdleCollection } from '../../../src/rolebook/cli/idle-collection.ts'

interface Case {
  readonly name: string
  /** Runs, and after them milliseconds in which nothing happens. */
  readonly steps: readonly (readonly [runs: number, quiet: number])[]
  readonly collections: number
}

const cases: readonly Case[] = [
  { name: 'many runs and then none', steps: [[100, 10_000]], collections: 1 },
  { name: 'many runs, and not yet quiet for long', steps: [[100, 9_999]], collections: 0 },
  { name: 'few runs', steps: [[99, 60_000]], collections: 0 },
  {
    name: 'runs that come one by one count together',
    steps: [
      [60, 60_000],
      [40, 10_000],
    ],
    collections: 1,
  },
  {
    name: 'a run that comes before it is quiet for long puts it off',
    steps: [
      [100, 9_000],
      [1, 9_999],
    ],
    collections: 0,
  },
  {
    name: 'put off, it comes when it has been quiet',
    steps: [
      [100, 9_000],
      [1, 10_000],
    ],
    collections: 1,
  },
  {
    name: 'what was collected is not collected again',
    steps: [
      [100, 60_000],
      [99, 60_000],
    ],
    collections: 1,
  },
  {
    name: 'many runs after it are collected, too',
    steps: [
      [100, 60_000],
      [100, 60_000],
    ],
    collections: 2,
  },
]

describe('garbage of many runs, collected when the operator rests', () => {
  for (const { name, steps, collections } of cases) {
    it(name, async () => {
      const clock = new FakeClock()
      let done = 0
      const idle = new IdleCollection(clock, () => done++)
      for (const [runs, quiet] of steps) {
        for (let run = 0; run < runs; run++) idle.ran()
        await clock.advance(quiet)
      }
      expect(done).to.equal(collections)
    })
  }
})
