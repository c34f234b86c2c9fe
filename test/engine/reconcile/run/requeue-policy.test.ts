import { expect } from 'chai'
import { endOf, type RunEnd, toResult } from '../../../../src/engine/reconcile/run/requeue-policy.ts'
import type { RunOutcome } from '../../../../src/engine/role/task-outcome.ts'
import type { ReconcileResult } from '../../../../src/engine/runtime/reconciler.ts'

const MINUTE = 60_000

const cases: { name: string; end: RunEnd; random?: number; expected: ReconcileResult }[] = [
  {
    name: 'a complete run is repeated after its period',
    end: { kind: 'complete', period: 1000 },
    random: 0.5,
    expected: { requeueAfter: 1000, requeuePriority: 'backlog' },
  },
  {
    name: 'give or take ten percent',
    end: { kind: 'complete', period: 1000 },
    random: 0,
    expected: { requeueAfter: 900, requeuePriority: 'backlog' },
  },
  { name: 'or never', end: { kind: 'complete', period: 0 }, expected: {} },
  {
    name: 'a wait has a fallback',
    end: { kind: 'waiting', attempt: 0 },
    random: 1,
    expected: { requeueAfter: 5000, requeuePriority: 'retry' },
  },
  {
    name: 'that doubles',
    end: { kind: 'waiting', attempt: 2 },
    random: 1,
    expected: { requeueAfter: 20_000, requeuePriority: 'retry' },
  },
  {
    name: 'up to five minutes',
    end: { kind: 'waiting', attempt: 60 },
    random: 1,
    expected: { requeueAfter: 5 * MINUTE, requeuePriority: 'retry' },
  },
  {
    name: 'and never past its deadline',
    end: { kind: 'waiting', attempt: 9, deadline: 70 },
    random: 1,
    expected: { requeueAfter: 70, requeuePriority: 'retry' },
  },
  {
    name: 'what may pass backs off',
    end: { kind: 'retriable', retryAfter: 7 },
    expected: { retry: true, minimumDelay: 7 },
  },
  {
    name: 'what may not begin yet is looked at when it may',
    end: { kind: 'postponed', pause: 70 },
    expected: { requeueAfter: 70, requeuePriority: 'retry' },
  },
  {
    name: 'a status that is withheld is written when its time has come',
    end: { kind: 'withheld', left: 2_000 },
    expected: { requeueAfter: 2_000, requeuePriority: 'retry' },
  },
  {
    name: 'what needs a person is tried seldom',
    end: { kind: 'terminal', attempt: 0 },
    random: 1,
    expected: { requeueAfter: 5 * MINUTE, requeuePriority: 'retry' },
  },
  {
    name: 'up to an hour',
    end: { kind: 'terminal', attempt: 9 },
    random: 1,
    expected: { requeueAfter: 60 * MINUTE, requeuePriority: 'retry' },
  },
  {
    name: 'or when the failure says',
    end: { kind: 'terminal', attempt: 9, retryAfter: 5 },
    expected: { requeueAfter: 5, requeuePriority: 'retry' },
  },
  {
    name: 'what is forbidden is tried soon',
    end: { kind: 'forbidden', attempt: 0 },
    random: 1,
    expected: { requeueAfter: 5000, requeuePriority: 'retry' },
  },
  {
    name: 'and then less often',
    end: { kind: 'forbidden', attempt: 9 },
    random: 1,
    expected: { requeueAfter: 5 * MINUTE, requeuePriority: 'retry' },
  },
  {
    name: 'what the server refuses is tried again after a second',
    end: { kind: 'refused', attempt: 0 },
    random: 1,
    expected: { requeueAfter: 1000, requeuePriority: 'retry' },
  },
  {
    name: 'and after five minutes at most',
    end: { kind: 'refused', attempt: 12 },
    random: 1,
    expected: { requeueAfter: 5 * MINUTE, requeuePriority: 'retry' },
  },
  { name: 'what is gone stays gone', end: { kind: 'gone' }, expected: {} },
]

describe('toResult', () => {
  for (const { name, end, random = 0.5, expected } of cases) {
    it(name, () => expect(toResult(end, () => random)).to.deep.equal(expected))
  }
})

describe('endOf', () => {
  const context = { waiting: 2, terminal: 3, deadline: 9, period: 1 }
  const stopped = (outcome: NonNullable<RunOutcome['stoppedBy']>['outcome']): RunOutcome => ({
    complete: false,
    tasks: [],
    stoppedBy: { task: 't', outcome },
  })
  const error = new Error('x')
  const ends: { name: string; outcome: RunOutcome; expected: RunEnd }[] = [
    { name: 'complete', outcome: { complete: true, tasks: [] }, expected: { kind: 'complete', period: 1 } },
    {
      name: 'waiting',
      outcome: stopped({ kind: 'waiting', reason: 'r' }),
      expected: { kind: 'waiting', attempt: 1, deadline: 9 },
    },
    {
      name: 'retriable',
      outcome: stopped({ kind: 'failed', reason: 'Failed', error, retriable: true, retryAfter: 4 }),
      expected: { kind: 'retriable', retryAfter: 4 },
    },
    {
      name: 'terminal',
      outcome: stopped({ kind: 'failed', reason: 'Failed', error, retriable: false }),
      expected: { kind: 'terminal', attempt: 2, retryAfter: undefined },
    },
    {
      name: 'terminal, while another task may succeed by itself',
      outcome: {
        ...stopped({ kind: 'failed', reason: 'Failed', error, retriable: false }),
        others: [{ task: 'u', outcome: { kind: 'failed', reason: 'Failed', error, retriable: true, retryAfter: 4 } }],
      },
      expected: { kind: 'retriable', retryAfter: 4 },
    },
    {
      name: 'forbidden',
      outcome: stopped({ kind: 'failed', reason: 'Forbidden', error, retriable: false }),
      expected: { kind: 'forbidden', attempt: 2 },
    },
    {
      name: 'refused by the server',
      outcome: stopped({ kind: 'failed', reason: 'Invalid', error, retriable: false, isRefusal: true }),
      expected: { kind: 'refused', attempt: 2 },
    },
  ]
  for (const { name, outcome, expected } of ends) {
    it(name, () => expect(endOf(outcome, context)).to.deep.equal(expected))
  }

  describe('of a run whose status is withheld', () => {
    const waiting = stopped({ kind: 'waiting', reason: 'r' })
    const failed = stopped({ kind: 'failed', reason: 'Failed', error, retriable: false })
    const withheld: typeof ends = [
      { name: 'complete', outcome: { complete: true, tasks: [] }, expected: { kind: 'withheld', left: 5 } },
      { name: 'waiting', outcome: waiting, expected: { kind: 'withheld', left: 5 } },
      { name: 'stopped since', outcome: failed, expected: { kind: 'terminal', attempt: 2, retryAfter: undefined } },
    ]
    for (const { name, outcome, expected } of withheld) {
      it(name, () => expect(endOf(outcome, { ...context, withheld: 5 })).to.deep.equal(expected))
    }

    it('waiting for something whose time is up sooner', () => {
      expect(endOf(waiting, { ...context, withheld: 50 })).to.deep.equal({ kind: 'withheld', left: 9 })
    })
  })
})
