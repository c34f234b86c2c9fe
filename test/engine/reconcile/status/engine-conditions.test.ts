import { expect } from 'chai'
import type { Readiness } from '../../../../src/core/kube/readiness.ts'
import { conditionsOfRun, type JudgedObject } from '../../../../src/engine/reconcile/status/engine-conditions.ts'
import { type FailureReason, type RunOutcome, TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const COMPLETE: RunOutcome = { complete: true, tasks: [] }

function failed(error: Error, reason: FailureReason, retriable = false): RunOutcome {
  return { complete: false, tasks: [], stoppedBy: { task: 't', outcome: { kind: 'failed', reason, error, retriable } } }
}

function judged(name: string, readiness: Readiness): JudgedObject {
  return { object: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'd' } }, readiness }
}

const NOT_YET: Readiness = { kind: 'notReady', message: '1 of 3' }
const BROKEN: Readiness = { kind: 'failed', message: 'broken' }

const FAILED = { kind: 'failed', reason: 'Failed', error: new TaskFailure('Failed', 'x'), retriable: false } as const

const cases: { name: string; outcome: RunOutcome; judged?: JudgedObject[]; expected: string[] }[] = [
  {
    name: 'complete and ready',
    outcome: COMPLETE,
    judged: [judged('a', { kind: 'ready' })],
    expected: ['Ready=True Ready the cluster is as the role says'],
  },
  {
    name: 'complete, not ready',
    outcome: COMPLETE,
    judged: [judged('a', { kind: 'ready' }), judged('b', NOT_YET), judged('c', NOT_YET)],
    expected: [
      'Ready=False NotReady Pod d/b is not ready: 1 of 3 (and 1 more)',
      'Reconciling=True NotReady Pod d/b is not ready: 1 of 3 (and 1 more)',
    ],
  },
  {
    name: 'complete, failed',
    outcome: COMPLETE,
    judged: [judged('b', NOT_YET), judged('c', BROKEN)],
    expected: ['Ready=False NotReady Pod d/c has failed: broken (and 1 more)'],
  },
  {
    name: 'waiting',
    outcome: { complete: false, tasks: [], stoppedBy: { task: 't', outcome: { kind: 'waiting', reason: 'r' } } },
    expected: ['Ready=False Waiting task "t": r', 'Reconciling=True Waiting task "t": r'],
  },
  {
    name: 'waiting for many tasks, in more words than a condition may have',
    outcome: {
      complete: false,
      tasks: [],
      stoppedBy: { task: 't', outcome: { kind: 'waiting', reason: 'r'.repeat(600) } },
      others: [{ task: 'u', outcome: { kind: 'waiting', reason: 's'.repeat(600) } }],
    },
    expected: ['Ready=False Waiting', 'Reconciling=True Waiting'].map(
      (type) => `${type} task "t": ${'r'.repeat(600)}; task "u": ${'s'.repeat(1023 - 622)}…`,
    ),
  },
  {
    name: 'a failure at a field that the message does not name',
    outcome: {
      complete: false,
      tasks: [],
      stoppedBy: {
        task: 't',
        outcome: { ...FAILED, place: { file: 'roles/web/role.yaml', line: 7, field: 'data.a' } },
      },
    },
    expected: [
      'Ready=False Failed task "t": x (roles/web/role.yaml:7, field data.a)',
      'Stalled=True Failed task "t": x (roles/web/role.yaml:7, field data.a)',
    ],
  },
  {
    name: 'several tasks that wait or failed',
    outcome: {
      ...failed(new TaskFailure('Failed', 'x'), 'Failed'),
      others: [
        { task: 'u', outcome: { kind: 'waiting', reason: 'r' } },
        { task: 'v', outcome: { kind: 'failed', reason: 'Failed', error: new Error('y'), retriable: true } },
      ],
    },
    expected: [
      'Ready=False Failed task "t": x; task "u": r; task "v": y',
      'Stalled=True Failed task "t": x; task "u": r; task "v": y',
    ],
  },
  {
    name: 'failed for now',
    outcome: failed(new Error('x', { cause: new Error('y') }), 'Failed', true),
    expected: ['Ready=False Failed task "t": x: y', 'Reconciling=True Failed task "t": x: y'],
  },
  {
    name: 'failed until a person acts',
    outcome: failed(new TaskFailure('NameCollision', 'x', { cause: new Error('y') }), 'NameCollision'),
    expected: ['Ready=False Conflict task "t": x', 'Stalled=True NameCollision task "t": x'],
  },
]

describe('conditionsOfRun', () => {
  for (const { name, outcome, judged = [], expected } of cases) {
    it(name, () => {
      const conditions = Object.values(conditionsOfRun(outcome, judged)).filter((one) => one !== undefined)
      const texts = conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`)
      expect(texts).to.deep.equal(expected)
    })
  }

  it('cuts what is too long to read', () => {
    const { Ready } = conditionsOfRun(failed(new Error('x'.repeat(5000)), 'Failed'), [])
    expect(Ready.message).to.have.lengthOf(1024)
  })
})
