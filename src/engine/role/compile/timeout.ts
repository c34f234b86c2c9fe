import type { JsonPath, JsonValue } from '../../../core/base/json.ts'
import { parseDuration } from '../../../core/kube/duration.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { Template } from '../../expression/compile-template.ts'
import type { Task } from '../role.ts'
import type { RunContext } from '../run/run-context.ts'
import { toFailedOutcome } from '../run/to-failed-outcome.ts'
import { type FailedOutcome, TaskFailure, type TaskOutcome } from '../task-outcome.ts'
import type { ModifierSurroundings } from './text-compiler.ts'

/** The modifier `timeout`, which stands at `path`: a duration, or an expression that yields one. */
export function compileTimeout(
  value: JsonValue | undefined,
  path: JsonPath,
  { texts, names, ...flows }: ModifierSurroundings,
): Template | undefined {
  if (typeof value !== 'string') return undefined
  const problem = timeoutProblem(value)
  if (problem) texts.report(path, { code: 'RB1109', ...problem })
  return texts.template(path, names, { base: ['timeout'], ...flows })
}

/** What is wrong with a literal timeout; `undefined` if nothing is, or if it is an expression. */
export function timeoutProblem(text: string): Pick<Problem, 'message' | 'hint'> | undefined {
  if (text.includes('${') || parseDuration(text) !== undefined) return undefined
  return { message: `"${text}" is not a duration`, hint: 'write it like 30s, 5m or 1h30m' }
}

/**
 * The outcome of a task, or its failure when it has waited for longer than it may. The failure is final, for a `rescue` to
 * see, until the task waits no more.
 */
export function withinTimeout(
  outcome: TaskOutcome,
  { modifiers }: Task,
  { place, scope, waits }: Pick<RunContext, 'place' | 'scope' | 'waits'>,
): TaskOutcome {
  if (outcome.kind === 'failed') return outcome
  if (outcome.kind !== 'waiting') {
    waits.over(place)
    return outcome
  }
  // A task within it that waits has had its own time.
  if (outcome.task !== undefined) return outcome
  try {
    const timeout = outcome.timeout ?? (modifiers.timeout && renderTimeout(modifiers.timeout, scope))
    if (timeout === undefined || waits.left(place, timeout) > 0) return { ...outcome, timeout }
    return failure(`waited too long: ${outcome.reason}`)
  } catch (error) {
    return toFailedOutcome(error)
  }
}

/**
 * Milliseconds; `undefined` if the template yields nothing.
 *
 * @throws TaskFailure `Invalid`, ExpressionError
 */
export function renderTimeout(template: Template, scope: RunContext['scope']): number | undefined {
  const text = template.render(scope)
  if (text === undefined) return undefined
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  if (milliseconds === undefined)
    throw new TaskFailure('Invalid', '`timeout` is not a duration such as 5m', { field: 'timeout' })
  return milliseconds
}

function failure(message: string): FailedOutcome {
  return toFailedOutcome(new TaskFailure('Failed', message))
}
