import type { Condition } from '../../../core/kube/condition.ts'
import { redactOutcome } from '../../role/redact-outcome.ts'
import { Secrecy } from '../../role/secrecy.ts'
import type { FailedOutcome } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { WrittenObject } from '../apply/object-port.ts'
import type { Propagation } from '../deletion/propagation.ts'
import { OwnLoop } from './own-loop.ts'
import { DONE_BY_OTHERS } from './own-versions.ts'
import { RequestAllowance } from './request-allowance.ts'
import type { RunInputs } from './run-inputs.ts'
import { UnobservedChildren } from './unobserved-children.ts'
import { WaitTimes } from './wait-times.ts'

export interface CompletedRun {
  readonly inputs: RunInputs
  /** Ids of the objects that it made. */
  readonly made: ReadonlySet<string>
}

/** After how many runs a failure that may pass is shown in the status. */
const HIDDEN_FAILURES = 3

/** What is remembered of one resource between its runs. All of it may be lost in a restart. */
export class ResourceMemory {
  readonly uid: string
  /** Texts of Secrets that the last run has seen. */
  secrets: ReadonlySet<string> = new Set()
  /** The last complete run. A run with the same inputs would only repeat it. */
  completed: CompletedRun | undefined
  /** What the last run read, no matter how it ended. */
  lastInputs: RunInputs | undefined
  /** The `Ready` condition that was reported last. */
  reportedReady: Condition | undefined
  /** What caused the last run. */
  cause = DONE_BY_OTHERS
  readonly loop = new OwnLoop()
  readonly allowance = new RequestAllowance()
  /** Fields of the status that the last write changed. */
  changedStatus: readonly string[] = []
  /** How many runs in a row ended in a wait, a terminal failure, a failure that may pass. */
  readonly attempts = { waiting: 0, terminal: 0, retriable: 0 }
  /** Whether a write of the status has failed although the server may have done it. */
  isStatusUnsure = false
  /** The hash of a status patch that the server accepted without effect. */
  refusedStatus: string | undefined
  /** How many runs in a row were forbidden to write the status. */
  statusRefusals = 0
  /** Types of the conditions that `status` tasks have set and that may still exist; absent while they are not known. */
  taskConditions: ReadonlySet<string> | undefined
  /** The foreign objects in which we may hold fields, by id; absent while they are not known. */
  patched: ReadonlyMap<string, WrittenObject> | undefined
  /** Ids of the objects that may exist, in the order of the tasks that made them, as far as it is known. */
  made: readonly string[] = []
  /** The policy of its deletion, once it is known. */
  propagation: Propagation | undefined
  readonly waits = new WaitTimes()
  readonly unobserved = new UnobservedChildren()
  /** Milliseconds until the status of the last run must be written; 0 if it was written. */
  withheld = 0
  #wanted: string | undefined

  constructor(uid: string) {
    this.uid = uid
  }

  /** Whether the last failure is not shown in the status yet, since it may still pass. */
  get hidesFailure(): boolean {
    const { retriable } = this.attempts
    return retriable > 0 && retriable < HIDDEN_FAILURES
  }

  /** Notes what a run has made. It comes before what only former runs have made. */
  recordMade(ids: Iterable<string>): void {
    this.made = [...new Set([...ids, ...this.made])]
  }

  /** What failed or waited before an edit of the resource or its role says nothing of what is wanted now. */
  want(fingerprint: string): void {
    if (this.#wanted !== fingerprint) Object.assign(this.attempts, { waiting: 0, terminal: 0 })
    this.#wanted = fingerprint
  }

  /** Counts how a run ended. */
  count(end: keyof ResourceMemory['attempts'] | undefined): void {
    for (const name of ['waiting', 'terminal', 'retriable'] as const) {
      this.attempts[name] = name === end ? this.attempts[name] + 1 : 0
    }
  }
}

/** The outcome that an error outside of tasks stands for, with the secrets of the last run redacted. */
export function failureOf(error: unknown, { secrets }: Pick<ResourceMemory, 'secrets'>): FailedOutcome {
  return redactOutcome(toFailedOutcome(error), new Secrecy(secrets))
}
