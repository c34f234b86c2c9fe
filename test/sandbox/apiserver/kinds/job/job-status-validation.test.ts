import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { printFieldError } from '../../../../../src/core/schema/field-error.ts'
import { validateJobStatus } from '../../../../../src/sandbox/apiserver/kinds/job/job-status-validation.ts'

const BEGAN = '2026-01-01T10:00:00Z'
const ENDED = '2026-01-01T11:00:00Z'

/** Conditions that hold. */
const holding = (...types: readonly string[]): JsonObject => ({
  conditions: types.map((type) => ({ type, status: 'True' })),
})
const COMPLETE = { startTime: BEGAN, completionTime: ENDED, ...holding('SuccessCriteriaMet', 'Complete') }
const FAILED = { startTime: BEGAN, ...holding('FailureTarget', 'Failed') }
const suspended = (status: string): JsonObject => ({ conditions: [{ type: 'Suspended', status }] })

const INDEXED = { completionMode: 'Indexed', completions: 5, parallelism: 2, backoffLimitPerIndex: 1 }
const NOT_COMPLETE_WITHOUT =
  'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition'

interface Case {
  readonly name: string
  readonly spec?: JsonObject
  /** The status before. */
  readonly old?: JsonObject
  readonly status: JsonObject
  readonly expected: readonly string[]
}

const ends: readonly Case[] = [
  { name: 'a Job that has started completes', old: { startTime: BEGAN }, status: COMPLETE, expected: [] },
  { name: 'a Job that has started fails', old: { startTime: BEGAN }, status: FAILED, expected: [] },
  {
    name: 'a Job does not complete and fail',
    old: { startTime: BEGAN },
    status: { ...COMPLETE, ...holding('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
    expected: [
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
  },
  {
    name: 'a Job does not fail before its failure is decided',
    old: { startTime: BEGAN },
    status: { startTime: BEGAN, ...holding('Failed') },
    expected: [
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
    ],
  },
  {
    name: 'a Job does not complete before its success is decided',
    old: { startTime: BEGAN },
    status: { ...COMPLETE, ...holding('Complete') },
    expected: [NOT_COMPLETE_WITHOUT],
  },
  {
    name: 'a Job with a policy of success does not complete before it is met',
    spec: { successPolicy: { rules: [{ succeededCount: 1 }] } },
    old: { startTime: BEGAN },
    status: { ...COMPLETE, ...holding('Complete') },
    expected: [
      NOT_COMPLETE_WITHOUT,
      'status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ],
  },
  {
    name: 'a Job does not complete at no time',
    old: { startTime: BEGAN },
    status: { startTime: BEGAN, ...holding('SuccessCriteriaMet', 'Complete') },
    expected: ['status.completionTime: Required value: completionTime is required for Complete jobs'],
  },
  {
    name: 'a Job that goes on has no time of completion',
    old: { startTime: BEGAN },
    status: { startTime: BEGAN, completionTime: ENDED },
    expected: [
      'status.completionTime: Invalid value: "2026-01-01T11:00:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
  },
  {
    name: 'a Job does not complete before it starts',
    old: { startTime: ENDED },
    status: { ...COMPLETE, startTime: ENDED, completionTime: BEGAN },
    expected: ['status.completionTime: Invalid value: "2026-01-01T10:00:00Z": must be equal to or after `startTime`'],
  },
  {
    name: 'a Job that never started is not over, and pods are left of none that is',
    status: {
      ...COMPLETE,
      startTime: undefined,
      active: 1,
      terminating: 1,
      uncountedTerminatedPods: { failed: ['a'], succeeded: [] },
    },
    expected: [
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.startTime: Required value: startTime is required for finished job',
      'status.uncountedTerminatedPods: Invalid value: {"failed":["a"],"succeeded":[]}: must be empty for finished job',
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    ],
  },
  {
    name: 'a suspended Job without completions is over before it starts',
    spec: { suspend: true, completions: 0 },
    status: { ...COMPLETE, startTime: undefined },
    expected: [],
  },
  {
    name: 'a suspended Job with completions is not over before it starts',
    spec: { suspend: true, completions: 1 },
    status: { ...COMPLETE, startTime: undefined },
    expected: ['status.startTime: Required value: startTime is required for finished job'],
  },
  {
    name: 'a Job that is over gets no pods any more, and keeps its start',
    old: FAILED,
    status: {
      ...FAILED,
      startTime: undefined,
      active: 1,
      terminating: 1,
      uncountedTerminatedPods: { failed: [], succeeded: ['a'] },
    },
    expected: [
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.startTime: Required value: startTime is required for finished job',
      'status.uncountedTerminatedPods: Invalid value: {"failed":[],"succeeded":["a"]}: must be empty for finished job',
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      'status.startTime: Invalid value: null: field is immutable for unsuspended job once set',
    ],
  },
]

const changes: readonly Case[] = [
  {
    name: 'no more pods are ready than there are',
    status: { active: 1, ready: 2 },
    expected: ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
  },
  {
    name: 'a pod that is not counted yet is named once, and by a uid',
    status: { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
    expected: [
      'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    ],
  },
  {
    name: 'what is over does not begin again',
    old: FAILED,
    status: { startTime: BEGAN },
    expected: [
      'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
      'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
    ],
  },
  {
    name: 'success that is decided stays decided',
    old: { startTime: BEGAN, ...holding('SuccessCriteriaMet') },
    status: { startTime: BEGAN },
    expected: ['status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition'],
  },
  {
    name: 'a Job that an older server completed stays without a decision',
    old: { ...COMPLETE, ...holding('Complete') },
    status: COMPLETE,
    expected: [
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
    ],
  },
  {
    name: 'pods that have ended stay counted',
    old: { succeeded: 2, failed: 2 },
    status: { succeeded: 1, failed: 1 },
    expected: [
      'status.failed: Invalid value: 1: cannot decrease the failed counter',
      'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
    ],
  },
  {
    name: 'indexes of a Job that may shrink need not stay counted',
    spec: { ...INDEXED, parallelism: 5 },
    old: { succeeded: 2 },
    status: { succeeded: 1 },
    expected: [],
  },
  {
    name: 'the time of completion stays',
    old: COMPLETE,
    status: { ...COMPLETE, completionTime: '2026-01-01T12:00:00Z' },
    expected: ['status.completionTime: Invalid value: "2026-01-01T12:00:00Z": field is immutable'],
  },
  {
    name: 'the time of the start stays',
    old: { startTime: BEGAN },
    status: { startTime: ENDED },
    expected: [
      'status.startTime: Invalid value: "2026-01-01T11:00:00Z": field is immutable for unsuspended job once set',
    ],
  },
  {
    name: 'a Job that goes on starts again',
    old: { startTime: BEGAN, ...suspended('True') },
    status: { startTime: ENDED, ...suspended('False') },
    expected: [],
  },
  {
    name: 'a suspended Job has no start any more',
    spec: { suspend: true },
    old: { startTime: BEGAN },
    status: suspended('True'),
    expected: [],
  },
]

const indexes: readonly Case[] = [
  {
    name: 'each index comes to one end',
    spec: INDEXED,
    status: { completedIndexes: '0,2-4', failedIndexes: '1,3' },
    expected: ['status.failedIndexes: Invalid value: "1,3": failedIndexes and completedIndexes overlap at index: 3'],
  },
  {
    name: 'indexes that come to one end each',
    spec: INDEXED,
    status: { completedIndexes: '0,2', failedIndexes: '1,3-4' },
    expected: [],
  },
  {
    name: 'indexes are numbers below the completions',
    spec: INDEXED,
    status: { completedIndexes: 'a', failedIndexes: '5' },
    expected: [
      'status.completedIndexes: Invalid value: "a": error parsing completedIndexes: cannot convert string to integer for index: "a"',
      'status.failedIndexes: Invalid value: "5": error parsing failedIndexes: too large index: "5"',
    ],
  },
  {
    name: 'a Job without indexes completes none, and without a limit for each none fails',
    status: { completedIndexes: '0', failedIndexes: '1' },
    expected: [
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
      'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ],
  },
]

describe('A status of a Job', () => {
  for (const { name, spec = {}, old = {}, status, expected } of [...ends, ...changes, ...indexes]) {
    it(name, () => {
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec }
      const errors = validateJobStatus({ ...job, status }, { ...job, status: old })
      expect(errors.map(printFieldError)).to.deep.equal(expected)
    })
  }
})
