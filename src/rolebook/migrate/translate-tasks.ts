import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'
import { checkKeywords, isKeyword } from './keywords.ts'
import { readLoop } from './loops.ts'
import { adviceOn, moduleOf } from './modules/all-modules.ts'
import type { Modifiers, Module } from './modules/module.ts'
import type { NewTask } from './new-task.ts'
import { shapeOfType } from './shape.ts'
import { allOf, asMap, Parameters, type TaskContext, translateCondition } from './task-context.ts'
import { toExpression, translateValue } from './translate-value.ts'
import { Undecided } from './undecided.ts'

/**
 * The tasks of a list, translated, each with a line in the report. One that has no translation becomes a task that
 * fails with the reason: a role in which something is missing must not pass for complete.
 */
export function translateTasks(value: JsonValue | undefined, context: TaskContext): readonly NewTask[] {
  if (!isJsonArray(value))
    throw new Undecided('RB1706', 'this is not a list of tasks', { place: { path: context.path } })
  return value.flatMap((task, index) => translateTask(task, { ...context, path: [...context.path, index] }))
}

function translateTask(task: JsonValue, context: TaskContext): readonly NewTask[] {
  const { role, document, path, names } = context
  const what = nameOf(task) ?? 'a task without a name'
  names.takeNotes()
  try {
    if (!isJsonObject(task)) throw new Undecided('RB1706', 'a task is a map')
    const before = role.report.findings.length
    const tasks = oneTask(task, context)
    const notes = names.takeNotes()
    // A block says nothing of itself when its tasks have spoken.
    if (notes.length > 0) role.report.add('note', document.locate(path), what, notes.join('; '))
    else if (role.report.findings.length === before)
      role.report.add('same', document.locate(path), what, resultOf(tasks))
    return withComments(tasks, notes)
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    names.takeNotes()
    const { path: place, offset, at } = error.place ?? { path }
    role.report.decide(document.locate(place.length === 0 ? path : place, at, offset), what, error)
    forgetRegistered(task, context)
    return [placeholder(task, what, error)]
  }
}

function withComments(tasks: readonly NewTask[], notes: readonly string[]): readonly NewTask[] {
  const [first, ...rest] = tasks
  if (!first || notes.length === 0) return tasks
  return [{ ...first, comments: [...notes.map((note) => `Note: ${note}.`), ...(first.comments ?? [])] }, ...rest]
}

/** In words: which kinds of task it has become; never a block, whose tasks have spoken. */
function resultOf(tasks: readonly NewTask[]): string {
  const kinds = tasks.map(({ fields }) => Object.keys(fields).find((key) => KINDS.has(key)))
  return kinds.length === 0 ? 'nothing is left of it' : kinds.join(', ')
}

const KINDS: ReadonlySet<string> = new Set([
  'ensure',
  'patch',
  'status',
  'get',
  'list',
  'wait',
  'assert',
  'fail',
  'set',
])

/** Later tasks that read what it would have registered are left to a person, too. */
function forgetRegistered(task: JsonValue, { names }: TaskContext): void {
  const register = isJsonObject(task) ? task.register : undefined
  if (typeof register !== 'string') return
  names.define(register, { shape: shapeOfType('unknown'), optional: true, form: 'opaque' })
}

function placeholder(task: JsonValue, what: string, { message, hint }: Undecided): NewTask {
  const original = printYaml([[task]])
    .trimEnd()
    .split('\n')
  const advice = hint === undefined ? [] : [`${hint[0]?.toUpperCase()}${hint.slice(1)}.`]
  const reason = message.replaceAll('${', () => '$${')
  return {
    comments: [`Decide: ${message}.`, ...advice, 'In Ansible it was', '', ...original.map((line) => `  ${line}`)],
    fields: { name: `Decide: ${what}`.slice(0, 200), fail: { message: `this task was not moved over: ${reason}` } },
  }
}

function nameOf(task: JsonValue): string | undefined {
  const name = isJsonObject(task) ? task.name : undefined
  if (typeof name !== 'string' || name.trim() === '') return undefined
  return name.replace(/\{\{\s*(.*?)\s*\}\}/g, '<$1>').slice(0, 180)
}

/** @throws Undecided */
function oneTask(task: JsonObject, outer: TaskContext): readonly NewTask[] {
  refuseModule(task, outer)
  checkKeywords(task, outer)
  const prelude = taskVariables(task, outer)
  const { fields: loop, context } = readLoop(task, prelude.context)
  const when = conditionFields(task, context)
  const name = nameOf(task)
  const fields = { ...when, ...loop, ...(task.no_log === true ? { sensitive: true } : {}) }
  const tasks =
    task.block === undefined
      ? moduleTask(task, { name, fields, register: registerOf(task), until: untilOf(task) }, context)
      : blockTask(task, { name, fields }, context)
  forgetLooped(task, outer, context)
  return [...prelude.tasks, ...tasks]
}

/** Comes first: a module without a counterpart is the most important fact about a task, before all other problems of it. */
function refuseModule(task: JsonObject, { path }: TaskContext): void {
  const [key, second] = task.block === undefined ? Object.keys(task).filter((one) => !isKeyword(one)) : []
  if (key === undefined || second !== undefined || moduleOf(key)) return
  const place = { path: [...path, key], at: 'key' as const }
  throw new Undecided('RB1704', `\`${key}\` has no counterpart`, { hint: adviceOn(key), place })
}

/** What a loop registers is a list of results, each in its wrapping. */
function forgetLooped(task: JsonObject, outer: TaskContext, { names }: TaskContext): void {
  if (names !== outer.names && typeof task.register === 'string') forgetRegistered(task, outer)
}

/** `vars` of a task are `set` before it; outside of the task the names mean what they meant. */
function taskVariables(task: JsonObject, context: TaskContext): { tasks: readonly NewTask[]; context: TaskContext } {
  const vars = asMap(task.vars)
  if (!vars || Object.keys(vars).length === 0) return { tasks: [], context }
  if (task.register !== undefined || asMap(task)?.set_fact !== undefined) {
    throw new Undecided('RB1704', '`vars` on a task that makes names', { place: { path: [...context.path, 'vars'] } })
  }
  const names = context.names.nested()
  const set: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(vars)) {
    const path = [...context.path, 'vars', name]
    const translated = translateValue(value as JsonValue, { names, path })
    const { shape, optional } = toExpression(value as JsonValue, names)
    set[names.define(name, { shape, optional, form: 'value' }).name] = translated
  }
  return {
    tasks: [{ fields: { name: `Values for: ${nameOf(task) ?? 'the next task'}`, set } }],
    context: { ...context, names },
  }
}

function conditionFields(task: JsonObject, { names, path }: TaskContext): JsonObject {
  if (task.when === undefined || task.when === null || task.when === true) return {}
  return { when: `\${${allOf(translateCondition(task.when, names, [...path, 'when']))}}` }
}

function registerOf({ register }: JsonObject): string | undefined {
  return typeof register === 'string' ? register : undefined
}

function untilOf({ until, retries = 3, delay = 5 }: JsonObject): Modifiers['until'] {
  if (until === undefined) return undefined
  if (typeof retries !== 'number' || typeof delay !== 'number') {
    throw new Undecided('RB1704', '`retries` and `delay` must be numbers')
  }
  return { condition: until as string, timeout: `${Math.max(1, Math.round(retries * delay))}s` }
}

function blockTask(
  task: JsonObject,
  { name, fields }: Pick<Modifiers, 'name' | 'fields'>,
  context: TaskContext,
): readonly NewTask[] {
  if (task.always !== undefined) {
    const hint = 'tasks after a block run when it was rescued, too'
    throw new Undecided('RB1704', '`always` has no counterpart', {
      hint,
      place: { path: [...context.path, 'always'], at: 'key' },
    })
  }
  const guarded = context.guarded || fields.when !== undefined
  const inner = { ...context, guarded, path: [...context.path, 'block'] }
  const block = translateTasks(task.block, inner)
  if (block.length === 0) return []
  const rescue =
    task.rescue === undefined
      ? []
      : translateTasks(task.rescue, { ...rescueContext(inner), path: [...context.path, 'rescue'] })
  const header = { ...(name === undefined ? { name: 'A block' } : { name }), ...fields }
  return [{ fields: header, block, ...(rescue.length === 0 ? {} : { rescue }) }]
}

/** Within `rescue`, `ansible_failed_task` and `ansible_failed_result` are `$failure`. */
function rescueContext(context: TaskContext): TaskContext {
  const names = context.names.nested()
  names.alias('ansible_failed_result', 'failure', failureShape({ msg: 'message', message: 'message' }))
  names.alias('ansible_failed_task', 'failure', failureShape({ name: 'task' }))
  return { ...context, names, guarded: true }
}

function failureShape(fields: Readonly<Record<string, string>>) {
  const text = shapeOfType('text')
  return {
    ...shapeOfType('map'),
    field(name: string) {
      const key = fields[name]
      if (key === undefined) throw new Undecided('RB1705', `\`${name}\` of a failure has no counterpart`)
      return { key, shape: text, optional: false, assumed: false }
    },
  }
}

function moduleTask(task: JsonObject, modifiers: Modifiers, context: TaskContext): readonly NewTask[] {
  const keys = Object.keys(task).filter((key) => !isKeyword(key))
  const [key, second] = keys
  if (key === undefined) throw new Undecided('RB1704', 'the task does nothing')
  if (second !== undefined) {
    const known = keys.find((one) => !moduleOf(one)) ?? second
    throw new Undecided('RB1704', `\`${known}\` has no counterpart`, {
      place: { path: [...context.path, known], at: 'key' },
    })
  }
  // A task whose only module has no counterpart was refused before.
  const module = moduleOf(key) as Module
  const parameters = new Parameters(key, argumentsOf(task[key], [...context.path, key]), context)
  const tasks = module.translate(parameters, modifiers, context)
  const { register, until } = modifiers
  if (register !== undefined && !context.names.variable(register)) {
    context.names.define(register, { shape: shapeOfType('unknown'), optional: true, form: 'opaque' })
  }
  if (until && !tasks.some(({ fields }) => fields.wait !== undefined)) {
    throw new Undecided('RB1704', '`until` needs what the task registers', {
      place: { path: [...context.path, 'until'], at: 'key' },
    })
  }
  return tasks
}

/** `include_tasks: file.yml` is short for its only parameter; `k8s: state=present` is refused. */
function argumentsOf(value: JsonValue | undefined, path: JsonPath): JsonObject {
  if (value === undefined || value === null) return {}
  if (isJsonObject(value)) return value
  if (typeof value === 'string' && !value.includes('=')) return { file: value }
  throw new Undecided('RB1704', 'parameters in one line of text', { hint: 'write them as a map', place: { path } })
}
