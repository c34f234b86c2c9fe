import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { WaitTimes } from '../../../../src/engine/reconcile/run/reconcile-context.ts'

/** `wait` and `over` name a place; each run is for a purpose, after some milliseconds. */
interface Run {
  readonly after: number
  readonly purpose?: string
  readonly wait?: readonly string[]
  readonly over?: string
  readonly complete?: true
}

const cases: { name: string; runs: Run[]; left: number[]; deadlines: (number | undefined)[] }[] = [
  {
    name: 'run from the first wait, and stay over',
    runs: [
      { after: 0, wait: ['a'] },
      { after: 60, wait: ['a'] },
      { after: 40, wait: ['a'] },
      { after: 50, wait: ['a'] },
    ],
    left: [100, 40, 0, -50],
    deadlines: [100, 40, undefined, undefined],
  },
  {
    name: 'begin anew for another generation or role',
    runs: [
      { after: 0, wait: ['a'] },
      { after: 90, purpose: '2', wait: ['a'] },
    ],
    left: [100, 100],
    deadlines: [100, 100],
  },
  {
    name: 'are each task’s own, and the next one to be up counts',
    runs: [
      { after: 0, wait: ['a'] },
      { after: 90, wait: ['b', 'a'] },
    ],
    left: [100, 100, 10],
    deadlines: [100, 10],
  },
  {
    name: 'outlast a run that did not come to the task',
    runs: [{ after: 0, wait: ['a'] }, { after: 50 }, { after: 40, wait: ['a'] }],
    left: [100, 10],
    deadlines: [100, undefined, 10],
  },
  {
    name: 'begin anew once the task has waited no more',
    runs: [
      { after: 0, wait: ['a'] },
      { after: 50, over: 'a' },
      { after: 40, wait: ['a'] },
    ],
    left: [100, 100],
    deadlines: [100, undefined, 100],
  },
  {
    name: 'begin anew after a complete run',
    runs: [
      { after: 0, wait: ['a'] },
      { after: 50, complete: true },
      { after: 40, wait: ['a'] },
    ],
    left: [100, 100],
    deadlines: [100, undefined, 100],
  },
]

describe('times to wait', () => {
  for (const { name, runs, left, deadlines } of cases) {
    it(name, () => {
      const clock = new FakeClock()
      const times = new WaitTimes()
      const seen: number[] = []
      const next = runs.map(({ after, purpose = '1', wait = [], over, complete }) => {
        clock.pass(after)
        const waits = times.forRun(purpose, clock)
        for (const place of wait) seen.push(waits.left(place, 100))
        if (over !== undefined) waits.over(over)
        if (complete) times.clear()
        return waits.deadline
      })
      expect(seen).to.deep.equal(left)
      expect(next).to.deep.equal(deadlines)
    })
  }

  it('begin anew with another memory', () => {
    const clock = new FakeClock()
    new WaitTimes().forRun('1', clock).left('a', 100)
    clock.pass(90)
    expect(new WaitTimes().forRun('1', clock).left('a', 100)).to.equal(100)
  })
})
