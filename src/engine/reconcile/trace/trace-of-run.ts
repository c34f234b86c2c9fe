import type { Clock } from '../../../core/base/clock.ts'
import { Secrecy } from '../../role/secrecy.ts'
import type { RequestCounter } from '../run/request-allowance.ts'
import type { ResourceMemory } from '../run/resource-memory.ts'
import type { ReconcileContext } from '../run/role-run.ts'
import type { RunReport, RunTrace, Trigger } from './run-trace.ts'
import { RunTracer } from './run-tracer.ts'

export interface TraceTools {
  readonly clock: Clock
  readonly requests: Pick<RequestCounter, 'of'>
  /** Of a run of tasks. Absent: none ran. */
  readonly tracer?: RunTracer | undefined
}

/** The trace of a call of the reconciler that has ended. */
export function traceOf(
  context: ReconcileContext,
  report: Omit<RunReport, 'at'>,
  { clock, requests, ...tools }: TraceTools,
): RunTrace {
  const { owner, entry, began, list, memory, signal } = context
  const tracer = tools.tracer ?? new RunTracer(clock, new Secrecy(memory.secrets))
  const { generation } = owner.resource.metadata
  const { outcome, ready, wroteStatus } = report
  return {
    at: new Date(began.at).toISOString(),
    milliseconds: Math.round((clock.monotonic() - began.monotonic) * 10) / 10,
    uid: owner.uid,
    ...(generation !== undefined && { generation }),
    role: entry.role.name,
    woken: tracer.redact(context.triggers),
    outcome,
    ...(ready && { ready: tracer.redact(`${ready.reason}: ${String(ready.message)}`) }),
    ...(list === 'finalize' && { list }),
    ...tracer.summary,
    ...(wroteStatus && { status: tracer.redact(memory.changedStatus) }),
    requests: requests.of(signal),
  }
}

/** The triggers of a run that is about to begin. If there are none, a timer has triggered it. */
export function triggersOf(
  noted: readonly Trigger[],
  { attempts, withheld }: Pick<ResourceMemory, 'attempts' | 'withheld'>,
): readonly Trigger[] {
  if (noted.length > 0) return noted
  if (attempts.retriable + attempts.terminal > 0) return [{ kind: 'retry' }]
  return [{ kind: attempts.waiting > 0 || withheld > 0 ? 'wait' : 'period' }]
}
