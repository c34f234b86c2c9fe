import type { Condition } from '../kube/condition.ts'
import { redactOutcome } from '../role/redact-outcome.ts'
import { Secrecy } from '../role/secrecy.ts'
import type { FailedOutcome } from '../role/task-outcome.ts'
import { toFailedOutcome } from '../role/to-failed-outcome.ts'
import type { WrittenObject } from './object-port.ts'
import { OwnLoop } from './own-loop.ts'
import { DONE_BY_OTHERS } from './own-versions.ts'
import type { Propagation } from './propagation.ts'
import { RequestAllowance } from './request-allowance.ts'
import type { RunInputs } from './run-inputs.ts'
import { UnobservedChildren } from './unobserved-children.ts'
import { WaitTimes } from './wait-times.ts'

export interface CompletedRun {
  readonly inputs: RunInputs
  /** Ids of the objects that it made. */
  readonly made: ReadonlySet<string>
}

/** A failure that may pass is shown in the status only when it has not passed after so many runs. */
const HIDDEN_FAILURES = 3

/** What is remembered of one resource between its runs. All of it may be lost: a restart begins anew. */
export class ResourceMemory {
  readonly uid: string
  /** Texts that the last run has seen of Secrets. */
  secrets: ReadonlySet<string> = new Set()
  /** The last complete run, which another one with the same inputs would only repeat. */
  completed: CompletedRun | undefined
  /** What the last run read, however it ended. */
  lastInputs: RunInputs | undefined
  /** The `Ready` condition that people were told of last. */
  reportedReady: Condition | undefined
  /** What led to the last run. */
  cause = DONE_BY_OTHERS
  readonly loop = new OwnLoop()
  readonly allowance = new RequestAllowance()
  /** Fields of the status that the last write changed. */
  changedStatus: readonly string[] = []
  /** Runs in a row that ended in a wait, a terminal failure, a failure that may pass. */
  readonly attempts = { waiting: 0, terminal: 0, retriable: 0 }
  /** A write of the status has failed, and may have been done all the same. */
  isStatusUnsure = false
  /** Hash of a status patch that the server answered without making it so. */
  refusedStatus: string | undefined
  /** Runs in a row whose status may not be written. */
  statusRefusals = 0
  /** Types of the conditions that `status` tasks have set and that may still be there; absent while that is not known. */
  taskConditions: ReadonlySet<string> | undefined
  /** The foreign objects that may have fields of ours, by id; absent while that is not known. */
  patched: ReadonlyMap<string, WrittenObject> | undefined
  /** Ids of the objects that may be there, in the order of the tasks that made them, as far as that is known. */
  made: readonly string[] = []
  /** What is to become of its children, once it goes and that has been found out. */
  propagation: Propagation | undefined
  readonly waits = new WaitTimes()
  readonly unobserved = new UnobservedChildren()
  /** Milliseconds after which the status that the last run did not write is written; 0: it was written. */
  withheld = 0
  #wanted: string | undefined

  constructor(uid: string) {
    this.uid = uid
  }

  /** Whether the last failure may still pass without a person hearing of it. */
  get hidesFailure(): boolean {
    const { retriable } = this.attempts
    return retriable > 0 && retriable < HIDDEN_FAILURES
  }

  /** What a run has made stands before what only former ones did. */
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

/** What an error outside of tasks means, in words that hold nothing of what the last run has seen of Secrets. */
export function failureOf(error: unknown, { secrets }: Pick<ResourceMemory, 'secrets'>): FailedOutcome {
  return redactOutcome(toFailedOutcome(error), new Secrecy(secrets))
}
