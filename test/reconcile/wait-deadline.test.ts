import { expect } from 'chai'
import { ResourceMemory } from '../../src/reconcile/resource-memory.ts'
import { type RunOutcome, TaskFailure } from '../../src/role/task-outcome.ts'

const TASK = { task: 'Wait', kind: 'waiting' } as const
const waitingAt = (place: number): RunOutcome => ({
  complete: false,
  tasks: Array.from({ length: place }, () => TASK),
  stoppedBy: { task: 'Wait', outcome: { kind: 'waiting', reason: 'r', timeout: 100 } },
})
const hiccup: RunOutcome = {
  complete: false,
  tasks: [TASK],
  stoppedBy: {
    task: 'Wait',
    outcome: { kind: 'failed', reason: 'Failed', retriable: true, error: new TaskFailure('Failed', 'away') },
  },
}

describe('The deadline of a wait', () => {
  const cases: { name: string; runs: [RunOutcome, now: number][]; expected: unknown[] }[] = [
    {
      name: 'outlasts a failure that passes',
      runs: [
        [waitingAt(1), 0],
        [hiccup, 50],
        [waitingAt(1), 90],
      ],
      expected: [100, undefined, 10],
    },
    {
      name: 'is not shared by two tasks of one name',
      runs: [
        [waitingAt(1), 0],
        [waitingAt(2), 90],
        [waitingAt(1), 95],
      ],
      expected: [100, 100, 5],
    },
  ]
  for (const { name, runs, expected } of cases) {
    it(name, () => {
      const memory = new ResourceMemory('u')
      expect(runs.map(([outcome, now]) => memory.judgeWait(outcome, 1, now).deadline)).to.deep.equal(expected)
    })
  }
})
