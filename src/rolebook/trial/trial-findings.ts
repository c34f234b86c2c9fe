import {
  getPath,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../core/base/json.ts'
import { formatObject } from '../../core/kube/object.ts'
import { printFieldErrorBody } from '../../core/schema/field-error.ts'
import { propertySchema, type Schema } from '../../core/schema/schema.ts'
import { validate } from '../../core/schema/validate.ts'
import type { Problem } from '../../core/yaml/diagnostic.ts'
import { ExpressionError, MissingValueError } from '../../engine/expression/expression-error.ts'
import type { TaskPlaces, WrittenTask } from '../../engine/role/parse/task-places.ts'
import type { Role, Task } from '../../engine/role/role.ts'
import { pathOf } from '../config/field-path.ts'
import { plainRefusal } from '../config/plain-refusal.ts'
import type { Finding } from './findings.ts'
import { mountHint } from './mount-hint.ts'
import { OwnObjects } from './references/own-objects.ts'
import { REFERENCE_RULES } from './references/reference-rules.ts'
import { shortRefusal } from './short-refusal.ts'
import type { TrialCase } from './trial-cases.ts'
import type { Attempt } from './trial-objects.ts'
import { NotTried, type Trial, type TrialFailure } from './trial-run.ts'
import type { Refusal } from './trial-server.ts'
import { rangeOf, taskAt, writtenPath } from './written-place.ts'

export interface FindingSources {
  readonly role: Role
  readonly places: TaskPlaces
  /** Of the kind of the resource, when it is known. */
  readonly schema: Schema | undefined
}

/** Everything that went wrong in one trial, each at its place in the role. */
export function findingsOf(trial: Trial, one: TrialCase, sources: FindingSources): readonly Finding[] {
  return [
    ...trial.attempts.flatMap((attempt) => refusalsOf(attempt, one, sources)),
    ...trial.attempts.flatMap((attempt) => warningsOf(attempt, sources)),
    ...trial.failures.flatMap((failure) => failureOf(failure, one, sources)),
    ...trial.twice.flatMap((twice) => writtenTwice(twice, sources)),
    ...statusProblems(trial, one, sources),
    ...danglingReferences(trial, sources),
  ]
}

function refusalsOf(
  { place, access, object, verdict }: Attempt,
  one: TrialCase,
  sources: FindingSources,
): readonly Finding[] {
  return verdict.refusals.flatMap(({ field, message }) => {
    const path = pathOf(object as JsonObject, field)
    const value = getPath(object as JsonObject, path)
    // Fields that a patch does not set are those of an unknown object.
    if (access === 'patch' && (path.length === 0 || !isWithinPatch(object as JsonObject, field))) return []
    if (holdsInvented(value, one)) return []
    const problem = refusalProblem({ field, message })
    const isLost = message.includes('Not found: ')
    const hint = (isLost ? mountHint(object as JsonObject, path) : undefined) ?? problem.hint
    return findingAt(place, path, { ...problem, hint }, sources)
  })
}

function isWithinPatch(patch: JsonObject, field: string): boolean {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '')
  return pathOf(patch, field).length >= Math.min(steps.length, 2) && getPath(patch, pathOf(patch, field)) !== undefined
}

/** Whether a value holds a text that was made up: another one might be right. */
function holdsInvented(value: JsonValue | undefined, { invented }: TrialCase): boolean {
  if (invented.size === 0 || value === undefined) return false
  const text = JSON.stringify(value)
  return [...invented].some((one) => text.includes(JSON.stringify(one).slice(1, -1)))
}

function refusalProblem({ field, message }: Refusal): Problem {
  const { reason, hint } = shortRefusal(message)
  const what = field === '' ? 'a server refuses the object' : `a server refuses \`${field}\``
  return { code: 'RB1801', message: `${what}: ${reason}`, hint }
}

function warningsOf({ place, access, verdict }: Attempt, sources: FindingSources): readonly Finding[] {
  if (access === 'patch') return []
  return verdict.warnings.flatMap((text) => {
    const field = /^([\w.[\]]+): /.exec(text)?.[1] ?? ''
    const path = field === '' ? [] : pathOf((verdict.object ?? {}) as JsonObject, field)
    return findingAt(place, path, { severity: 'warning', code: 'RB1802', message: `a server warns: ${text}` }, sources)
  })
}

/** Failures that a role chooses itself, by `assert` and `fail`, are no mistakes. */
function failureOf({ place, outcome }: TrialFailure, one: TrialCase, sources: FindingSources): readonly Finding[] {
  const task = taskAt(sources.role, place)
  const { error, reason } = outcome
  if (!task || task.kind.holdsUpLaterTasks || error instanceof NotTried) return []
  const { cause } = error
  if (cause instanceof MissingValueError) {
    const hint = `the field may be absent: give a default (\`?? …\`), require it in the CRD, or guard the task by \`when\``
    return findingAt(place, cause.path, { code: 'RB1803', message: error.message, hint }, sources)
  }
  const isExpression = error instanceof ExpressionError
  // What an expression makes of a text that was made up proves nothing; other messages show the text.
  if (isExpression ? one.invented.size > 0 : holdsInvented(error.message, one)) return []
  if (!isExpression && !REPORTED.has(reason)) return []
  return findingAt(
    place,
    pathIn(error.message),
    { code: 'RB1803', message: `the task fails: ${error.message}` },
    sources,
  )
}

/** Tasks by which a role refuses a resource in each of its trials, with every content of the cluster. */
export function refusalsByRole(
  [first, ...others]: readonly [Trial, ...Trial[]],
  one: TrialCase,
  sources: FindingSources,
): readonly Finding[] {
  const refused = first.failures.filter(({ place, outcome: { error, reason } }) => {
    const isExpression = error instanceof ExpressionError || error.cause instanceof ExpressionError
    return taskAt(sources.role, place)?.kind.refuses === true && reason === 'Failed' && !isExpression
  })
  const everywhere = refused.filter(({ place }) =>
    others.every(({ failures }) => failures.some((failure) => failure.place === place)),
  )
  return everywhere.flatMap(({ place, outcome: { error } }) => {
    const message = `${one.what} is refused: ${error.message}`
    const hint = 'correct the sample or the condition; no warning comes where a role test expects that it is not ready'
    return findingAt(place, [], { severity: 'warning', code: 'RB1808', message, hint }, sources)
  })
}

/** Reasons of failures that come of the role, and not of what a cluster looks like. */
const REPORTED: ReadonlySet<string> = new Set(['Invalid', 'Forbidden', 'Failed'])

/** The path that a message begins with or quotes: `metadata.name`. */
function pathIn(message: string): JsonPath {
  const text = /`([\w.[\]-]+)`/.exec(message)?.[1] ?? /^([\w.[\]-]+):/.exec(message)?.[1] ?? ''
  return text.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))
}

function writtenTwice({ place, before, object }: Trial['twice'][number], sources: FindingSources): readonly Finding[] {
  const [task, other] = [taskAt(sources.role, place), taskAt(sources.role, before)]
  const isSame = task === other
  const message = isSame
    ? `two items of the loop write the same object, ${formatObject(object)}`
    : `${formatObject(object)} is written by the task "${other?.name}", too`
  const hint = isSame
    ? 'make the name of `$item` or `$index`'
    : 'an object belongs to one task: keep one, or choose another name'
  return findingAt(place, ['metadata', 'name'], { code: 'RB1804', message, hint }, sources)
}

function statusProblems({ status }: Trial, one: TrialCase, sources: FindingSources): readonly Finding[] {
  const schema = sources.schema && propertySchema(sources.schema, 'status')
  if (!schema) return []
  return validate(status, schema).flatMap((error) => {
    const path = pathOf(status, error.field)
    const [place, task] = statusTask(sources, path, sources.role.tasks) ?? []
    if (place === undefined || task === undefined || path[0] === 'conditions') return []
    if (holdsInvented(getPath(status, path), one)) return []
    const message = `a server refuses \`${printPath(['status', ...path])}\`: ${plainRefusal(printFieldErrorBody(error))}`
    return findingAt(place, path, { code: 'RB1805', message }, sources)
  })
}

/** The task that sets a field of the status, with its place. */
function statusTask(
  sources: FindingSources,
  path: JsonPath,
  tasks: readonly Task[],
  around = '',
): readonly [string, Task] | undefined {
  for (const task of tasks) {
    const place = `${around}/${task.place}`
    const body = sources.places.of(task)?.draft.body
    // One whose body is an expression may set anything.
    if (task.kind.writesStatus && (!isJsonObject(body) || body[String(path[0])] !== undefined)) return [place, task]
    for (const list of task.lists) {
      const found = statusTask(sources, path, list.tasks, place)
      if (found) return found
    }
  }
  return undefined
}

/** What the objects of a trial say of each other. */
function danglingReferences({ attempts }: Trial, sources: FindingSources): readonly Finding[] {
  const own = new OwnObjects(attempts.filter(({ access }) => access === 'ensure').map(({ object }) => object))
  return attempts.flatMap(({ place, object }) =>
    REFERENCE_RULES.flatMap((rule) =>
      rule(object, own).flatMap(({ path, message, hint, severity }) =>
        findingAt(place, path, { code: 'RB1806', message, hint, severity }, sources),
      ),
    ),
  )
}

function findingAt(
  place: string,
  field: JsonPath,
  problem: Problem,
  { role, places }: FindingSources,
): readonly Finding[] {
  const task = taskAt(role, place)
  const written: WrittenTask | undefined = task && places.of(task)
  if (!task || !written) return []
  const range = rangeOf(written, writtenPath(written, field), problem.message.replace(/^.*?: /, ''))
  return [
    {
      place,
      range,
      problem: { ...problem, message: `task "${task.name}": ${problem.message}` },
    },
  ]
}
