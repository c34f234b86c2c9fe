import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { mergeObjects } from '../merge-objects.ts'
import type { NewTask } from '../new-task.ts'
import { shapeOfType } from '../shape.ts'
import type { Parameters, TaskContext } from '../task-context.ts'
import { translateTemplate } from '../template-file.ts'
import { placed, Undecided } from '../undecided.ts'
import { conditionOfObject, IGNORED_PARAMETERS, objectParameters, templateNameOf } from './k8s-parameters.ts'
import type { Modifiers, Module } from './module.ts'
import { waitUntil } from './wait-until.ts'

/** `kubernetes.core.k8s`: an object that should be there, be patched, or be gone. */
export const k8s: Module = {
  names: ['k8s'],
  collections: ['kubernetes.core', 'community.kubernetes'],
  translate(parameters, modifiers, context) {
    const state = parameters.literal('state') ?? 'present'
    const objects = readObjects(parameters, context)
    const readiness = readinessFields(parameters, context)
    const managers = managersOf(parameters)
    refuseReplacement(parameters)
    parameters.ignore(...IGNORED_PARAMETERS)
    parameters.end()
    for (const object of objects) checkObject(object, context)
    if (state === 'absent') return objects.flatMap((object) => absentObject(object, context))
    if (state !== 'present' && state !== 'patched')
      throw new Undecided('RB1704', `\`state: ${state}\` has no counterpart`)
    if (state === 'patched') return objects.map((object) => patchTask(object, modifiers, objects.length > 1))
    return ensureTasks(objects, { modifiers, readiness, managers, context })
  },
}

function readObjects(parameters: Parameters, context: TaskContext): readonly JsonObject[] {
  const defaults = objectParameters(parameters)
  const written = definitions(parameters, context)
  return written.map((object) => {
    if (!isJsonObject(object)) throw new Undecided('RB1704', 'the definition is not an object')
    const { apiVersion, kind, ...rest } = mergeObjects(defaults, object)
    return { apiVersion: apiVersion ?? 'v1', kind, ...withoutOwnNamespace(rest) }
  })
}

/** That of the resource is where objects are anyway. */
function withoutOwnNamespace(object: JsonObject): JsonObject {
  const { metadata } = object
  if (!isJsonObject(metadata) || metadata.namespace !== '${metadata.namespace}') return object
  const { namespace: _own, ...rest } = metadata
  return { ...object, metadata: rest }
}

/** What is written of the objects: in place, in a template or in a file. */
function definitions(parameters: Parameters, context: TaskContext): readonly JsonValue[] {
  const file = parameters.literal('src')
  const template = parameters.raw('template')
  const raw = parameters.raw('definition', 'resource_definition', 'inline')
  if (file !== undefined) return fromFile(`files/${file}`, context)
  if (typeof template === 'string') return fromFile(`templates/${template}`, context)
  if (template !== undefined)
    throw new Undecided('RB1704', 'a list of templates', { place: parameters.place('template') })
  if (raw === undefined) return [{}]
  if (typeof raw === 'string') {
    const named = placed(parameters.place('definition'), () => templateNameOf(raw))
    return named === undefined ? fromText(raw, context) : fromFile(named, context)
  }
  const value = parameters.value('definition', 'resource_definition', 'inline') as JsonValue
  return isJsonArray(value) ? value : [value]
}

function fromFile(path: string, { role, names }: TaskContext): readonly JsonValue[] {
  const source = role.readFile(path)
  if (!source) throw new Undecided('RB1702', `the role has no ${path}`)
  return translateTemplate(source, names)
}

function fromText(text: string, { document, path, names }: TaskContext): readonly JsonValue[] {
  if (/^\s*\{\{[^}]*\}\}\s*$/.test(text)) {
    throw new Undecided('RB1704', 'the whole object is a variable', {
      hint: 'write it as a manifest: its kind must be known',
    })
  }
  const { line } = document.source.position(document.locate(path).start)
  return translateTemplate(new SourceFile(`${document.source.path} (text of line ${line})`, text), names)
}

function refuseReplacement(parameters: Parameters): void {
  if (parameters.flag('force')) {
    const hint = 'an `ensure` states fields, and takes them; `onImmutable: recreate` makes an object anew'
    throw new Undecided('RB1704', '`force` replaces the whole object', { hint, place: parameters.place('force') })
  }
}

function readinessFields(parameters: Parameters, { names }: TaskContext): JsonObject {
  const condition = parameters.raw('wait_condition')
  const seconds = parameters.raw('wait_timeout')
  if (!parameters.flag('wait') && condition === undefined) return {}
  names.note('nothing polls: the change of the object runs the role again')
  const timeout = typeof seconds === 'number' ? { timeout: `${seconds}s` } : {}
  const readyWhen = condition === undefined ? {} : { readyWhen: conditionOfObject(condition) }
  return { ...readyWhen, waitReady: true, ...timeout }
}

/** Kind and name say what is watched and what may be done: they must be there. */
function checkObject(object: JsonObject, { role, names }: TaskContext): void {
  const { apiVersion, kind, metadata } = object
  for (const [key, value] of Object.entries({ apiVersion, kind })) {
    if (typeof value === 'string' && !value.includes('${')) continue
    const hint = 'rights and watches are computed from it; write one task for each kind'
    throw new Undecided('RB1704', `the \`${key}\` of the object must be known without running the role`, { hint })
  }
  const name = isJsonObject(metadata) ? metadata.name : undefined
  if (name === undefined)
    throw new Undecided('RB1704', 'the object has no name', { hint: 'one made of the resource will do' })
  if (kind === role.watch.kind && name === '${metadata.name}') {
    throw new Undecided('RB1704', 'the task changes its own resource', {
      hint: 'a role writes only the status of its resource',
    })
  }
  const namespace = isJsonObject(metadata) ? metadata.namespace : undefined
  if (namespace !== undefined)
    names.note('another namespace: `allowedNamespaces` of the entry in watches.yaml must name it')
}

/** The field manager of the modules: the server takes it from the user agent of the Python client, `OpenAPI-Generator/…/python`. */
const MANAGER = 'OpenAPI-Generator'

/** Under which names the task has written its objects. */
function managersOf(parameters: Parameters): readonly string[] {
  const apply = parameters.raw('server_side_apply')
  const given = isJsonObject(apply) ? apply.field_manager : undefined
  return typeof given === 'string' && /^[\w.-]+$/.test(given) ? [MANAGER, given] : [MANAGER]
}

interface EnsureOptions {
  readonly modifiers: Modifiers
  readonly readiness: JsonObject
  readonly managers: readonly string[]
  readonly context: TaskContext
}

function ensureTasks(
  objects: readonly JsonObject[],
  { modifiers, readiness, managers, context }: EnsureOptions,
): readonly NewTask[] {
  const { name, fields, register, until } = modifiers
  const several = objects.length > 1
  if (several && register !== undefined) {
    context.names.define(register, { shape: shapeOfType('unknown'), optional: true, form: 'opaque' })
  }
  const adoption = context.role.adopt ? { adopt: { from: managers } } : {}
  const tasks = objects.map((object): NewTask => {
    if (fields.when !== undefined || context.guarded) context.role.conditional.add(identityOf(object))
    return { fields: { name: nameOf(object, name, several), ...fields, ensure: object, ...readiness, ...adoption } }
  })
  const [only] = tasks
  if (several || register === undefined || !only) return tasks
  const optional = fields.when !== undefined || context.guarded
  const form = context.looped ? 'opaque' : 'ensured'
  const variable = context.names.define(register, { shape: shapeOfType('map'), optional, form })
  const registering = { fields: { ...only.fields, register: variable.name } }
  return until ? [registering, waitUntil(until, modifiers, context)] : [registering]
}

function patchTask(object: JsonObject, { name, fields }: Modifiers, several: boolean): NewTask {
  return { fields: { name: nameOf(object, name, several), ...fields, patch: object } }
}

/** An object that a task makes under a condition goes when the condition does. */
function absentObject(object: JsonObject, { role, names }: TaskContext): readonly NewTask[] {
  if (role.conditional.has(identityOf(object))) {
    names.note('left out: the object is removed when the `when` of the task that makes it is false')
    return []
  }
  const hint = 'an object that a role no longer makes is removed by itself; put a `when` on the task that makes it'
  throw new Undecided('RB1704', 'an object is removed that no task above makes under a condition', { hint })
}

function identityOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace = '', name } = metadata as JsonObject
  return `${apiVersion} ${kind} ${namespace}/${name}`
}

function nameOf({ kind, metadata }: JsonObject, name: string | undefined, several: boolean): string {
  const of = `${kind} ${String((metadata as JsonObject).name).replace(/\$\{([^}]*)\}/g, '<$1>')}`
  if (name === undefined) return of
  return several ? `${name}: ${of}` : name
}
