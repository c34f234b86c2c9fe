import { deepFreeze, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type Readiness, readinessOf } from '../../core/kube/readiness.ts'
import { dropNulls } from '../expression/drop-nulls.ts'
import { evaluateCondition } from '../role/run/evaluate-condition.ts'
import type { RunContext } from '../role/run/run-context.ts'

type Surroundings = Pick<RunContext, 'modifiers' | 'scope'>

/** Whether an object that a task makes is ready. `undefined`: the task does not want it counted. */
export function judgeReadiness(
  object: KubeObject,
  { modifiers: { readyWhen }, scope }: Surroundings,
): Readiness | undefined {
  if (readyWhen === true) return undefined
  if (readyWhen === undefined) return readinessOf(object)
  const inner = scope.child()
  inner.register('self', deepFreeze(dropNulls(object as JsonValue)))
  const isReady = evaluateCondition(readyWhen, inner, 'readyWhen')
  if (isReady) return { kind: 'ready' }
  // What it asks may be what the controller has not written yet.
  const kind = readinessOf(object).kind === 'unobserved' ? 'unobserved' : 'notReady'
  return { kind, message: '`readyWhen` is false' }
}

/** Whether later tasks wait until what the task makes is ready. */
export function isReadyAwaited({ modifiers: { waitReady }, scope }: Surroundings): boolean {
  if (waitReady === undefined || typeof waitReady === 'boolean') return waitReady ?? false
  return evaluateCondition(waitReady, scope, 'waitReady')
}
