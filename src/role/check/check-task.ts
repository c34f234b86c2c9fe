import { isJsonObject, type JsonArray, type JsonObject, type JsonPath, type JsonValue } from '../../base/json.ts'
import { didYouMean } from '../../base/nearest-name.ts'
import {
  ANY,
  canBe,
  describeType,
  itemsOf,
  listOf,
  NUMBER,
  optional,
  record,
  TEXT,
  type Type,
} from '../../expression/types/type.ts'
import { apiVersionOf, formatGvk, type GroupKind, type Gvk, gvkOf } from '../../kube/group-version-kind.ts'
import { propertySchema, type Schema } from '../../schema/schema.ts'
import type { TaskDraft } from '../draft-tasks.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import { ANYTHING, EVENT, MESSAGES, READ, STRING } from './body-schemas.ts'
import { checkHandOver } from './check-hand-over.ts'
import { warnOfShortLivedJob } from './check-job.ts'
import { checkManifest } from './check-manifest.ts'
import { warnOfComputedName } from './check-name.ts'
import { warnOfUnreachable } from './check-reach.ts'
import { type ResourceNames, warnOfSinks } from './check-sinks.ts'
import { warnOfUnusedGiven, warnOfUnusedNames } from './check-unused.ts'
import { escalationProblem, reportEscalatingKinds } from './escalating-kinds.ts'
import { schemaType } from './schema-type.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

/** What the tasks of a role are checked with. */
export interface RoleCheck {
  readonly texts: TypedTexts
  readonly schemas: KindSchemas
  /** The schema of the watched kind, when it is known. */
  readonly resource: Schema | undefined
  /** Kinds that can raise rights and that the role may make all the same. */
  readonly acknowledge: readonly GroupKind[]
  /** Names that may hold what the author of the resource has chosen. */
  readonly resourceNames: ResourceNames
  /** What every file of the role sees. */
  readonly base: TypeScope
  /** Whether all tasks could be read, so that what nothing seems to use is certainly not used. */
  readonly sound: boolean
}

export function checkTasks(tasks: readonly TaskDraft[], scope: TypeScope, check: RoleCheck): void {
  warnOfUnreachable(tasks, check.texts)
  for (const task of tasks) checkTask(task, scope, check)
}

function checkTask(draft: TaskDraft, around: TypeScope, check: RoleCheck): void {
  const { modifiers, path } = draft
  const { texts } = check
  warnOfComputedName(draft, texts)
  const scope = modifiers.loop === undefined ? around : loopScope(draft, around, texts)
  checkCondition(modifiers.when, { path: [...path, 'when'], scope }, texts)
  texts.guard(modifiers.when as JsonValue | undefined)
  const place: TaskPlace = { draft, body: [...path, draft.kind.name], scope, check }
  const result = (CHECKS[draft.kind.name] ?? checkAnything)(place)
  checkCondition(modifiers.waitReady, { path: [...path, 'waitReady'], scope }, texts)
  if (modifiers.readyWhen !== undefined)
    checkCondition(modifiers.readyWhen, { path: [...path, 'readyWhen'], scope: scope.nested({ self: result }) }, texts)
  checkModifier('timeout', STRING, place)
  checkModifier('handOver', ANYTHING, place)
  const handedOver = { schema: knownSchema(place), texts }
  checkHandOver(modifiers.handOver as JsonValue | undefined, [...path, 'handOver'], handedOver)
  if (typeof modifiers.register === 'string') around.set(modifiers.register, registered(result, modifiers))
}

/** A modifier that yields a value which a schema describes. */
function checkModifier(name: string, schema: Schema, { draft, scope, check }: TaskPlace): void {
  const path = [...draft.path, name]
  const options = { texts: check.texts, scope, complete: false, root: undefined, base: path }
  checkManifest(draft.modifiers[name], schema, path, options)
}

function registered(result: Type, { loop, when }: JsonObject): Type {
  const type = loop === undefined ? result : listOf(itemsOf(result))
  return when === undefined || loop !== undefined ? type : optional(type)
}

function loopScope({ modifiers, path }: TaskDraft, around: TypeScope, texts: TypedTexts): TypeScope {
  const type = texts.value(modifiers.loop, { path: [...path, 'loop'], scope: around })
  const name = typeof modifiers.loopVar === 'string' ? modifiers.loopVar : 'item'
  return around.nested({ [name]: itemsOf(type), index: NUMBER })
}

interface Place {
  readonly path: JsonPath
  readonly scope: TypeScope
}

function checkCondition(value: JsonValue | undefined, place: Place, texts: TypedTexts): void {
  if (typeof value !== 'string') return
  const type = texts.text(value, place)
  if (!value.includes('${') || type.shapes?.length === 0 || canBe(type, 'boolean')) return
  const message = `a condition is true or false, and this is ${describeType(type)}`
  texts.reportText(value, place, { code: 'RB1229', message, hint: 'write `$exists(…)`, or compare it' })
}

interface TaskPlace {
  readonly draft: TaskDraft
  readonly body: JsonPath
  readonly scope: TypeScope
  readonly check: RoleCheck
}

/** Checks the body of a task, and tells what the task yields. */
type CheckBody = (place: TaskPlace) => Type

const CHECKS: Readonly<Record<string, CheckBody>> = {
  ensure: (place) => {
    warnOfShortLivedJob(gvkIn(place), bodyOf(place), { body: place.body, texts: place.check.texts })
    return checkObject(place, place.draft.modifiers.handOver === undefined)
  },
  patch: (place) => checkObject(place, false),
  get: (place) => {
    const { optional: isOptional, ...rest } = bodyOf(place)
    checkFields(place, rest, READ)
    checkKind(place)
    const type = liveType(place)
    return isOptional === true ? optional(type) : type
  },
  list: (place) => {
    checkFields(place, bodyOf(place), READ)
    checkKind(place)
    return listOf(liveType(place))
  },
  status: checkStatus,
  set: checkSet,
  wait: (place) => {
    const { texts } = place.check
    const { for: condition, ...rest } = bodyOf(place)
    checkCondition(condition, { path: [...place.body, 'for'], scope: place.scope }, texts)
    texts.guard(condition)
    checkFields(place, rest, MESSAGES)
    return ANY
  },
  assert: checkAssert,
  fail: (place) => {
    checkFields(place, bodyOf(place), MESSAGES)
    return ANY
  },
  event: (place) => {
    checkFields(place, bodyOf(place), EVENT)
    return ANY
  },
  block: checkBlock,
  include: checkInclude,
  chart: (place) => {
    reportEscalatingKinds(place.draft.body, place.body, place.check)
    return checkAnything(place)
  },
}

function bodyOf({ draft }: TaskPlace): JsonObject {
  return isJsonObject(draft.body) ? draft.body : {}
}

function checkAnything({ draft, body, scope, check }: TaskPlace): Type {
  check.texts.value(draft.body, { path: body, scope })
  for (const tasks of draft.lists.values()) checkTasks(tasks, scope.nested(), check)
  return ANY
}

/** Fields of a body that is no manifest; those that `schema` does not name can be anything. */
function checkFields({ body, scope, check }: TaskPlace, fields: JsonObject, schema: Schema): void {
  for (const [name, value] of Object.entries(fields)) {
    const options = { texts: check.texts, scope, complete: false, root: undefined, base: body }
    checkManifest(value, propertySchema(schema, name), [...body, name], options)
  }
}

function checkObject(place: TaskPlace, complete: boolean): Type {
  const { body, scope, check } = place
  // What the server keeps for itself is reported by the task.
  const { status, ...rest } = bodyOf(place)
  const schema = knownSchema(place)
  checkKind(place)
  const options = { texts: check.texts, scope, complete, root: schema, base: body }
  const gvk = gvkIn(place)
  const problem = gvk && escalationProblem(gvk, rest, check.acknowledge)
  if (problem) check.texts.report([...body, 'kind'], problem)
  checkManifest(rest, schema, body, options)
  warnOfSinks(rest, body, check)
  if (status !== undefined)
    checkManifest(status, schema && propertySchema(schema, 'status'), [...body, 'status'], {
      ...options,
      complete: false,
    })
  return liveType(place)
}

function gvkIn(place: TaskPlace): Gvk | undefined {
  const { apiVersion, kind } = bodyOf(place)
  return typeof apiVersion === 'string' && typeof kind === 'string' ? gvkOf({ apiVersion, kind }) : undefined
}

function knownSchema(place: TaskPlace): Schema | undefined {
  const gvk = gvkIn(place)
  return gvk && place.check.schemas.get(gvk)
}

/** A newer server may know more: an error is what looks like a slip. */
function checkKind(place: TaskPlace): void {
  const gvk = gvkIn(place)
  const { schemas, texts } = place.check
  // An expression is reported by the task.
  if (gvk === undefined || formatGvk(gvk).includes('${') || schemas.get(gvk) !== undefined) return
  const [apiVersion, versions] = [apiVersionOf(gvk), schemas.versionsOf(gvk.group)]
  const kinds = schemas.kindsOf(apiVersion)
  if (kinds !== undefined && !kinds.includes(gvk.kind)) {
    const hint = didYouMean(gvk.kind, kinds)
    const severity = hint === undefined ? 'warning' : 'error'
    const message = `${apiVersion} has no kind ${gvk.kind}`
    texts.report([...place.body, 'kind'], { severity, code: 'RB1132', message, hint })
  } else if (kinds === undefined && versions !== undefined) {
    const message = `the group ${gvk.group} has no version ${gvk.version}`
    const hint = `there is ${versions.join(' and ')}`
    texts.report([...place.body, 'apiVersion'], { severity: 'warning', code: 'RB1132', message, hint })
  }
}

/** An object as it is in the cluster. */
function liveType(place: TaskPlace): Type {
  return schemaType(knownSchema(place), 'status')
}

function checkStatus({ draft, body, scope, check }: TaskPlace): Type {
  const schema = check.resource && propertySchema(check.resource, 'status')
  checkManifest(draft.body, schema, body, {
    texts: check.texts,
    scope,
    complete: false,
    root: check.resource,
    base: body,
  })
  return ANY
}

function checkSet(place: TaskPlace): Type {
  const { body, scope, check } = place
  for (const [name, value] of Object.entries(bodyOf(place)))
    scope.set(name, check.texts.value(value, { path: [...body, name], scope }))
  return ANY
}

function checkAssert(place: TaskPlace): Type {
  const { that, ...rest } = bodyOf(place)
  const { texts } = place.check
  for (const [index, condition] of (that as JsonArray).entries()) {
    checkCondition(condition, { path: [...place.body, 'that', index], scope: place.scope }, texts)
    texts.guard(condition)
  }
  checkFields(place, rest, MESSAGES)
  return ANY
}

const FAILURE = record({ task: TEXT, reason: TEXT, message: TEXT })

function checkBlock({ draft, scope, check }: TaskPlace): Type {
  // Names that a block makes are seen after it, unless it loops: then its scope is that of an item.
  for (const [name, tasks] of draft.lists)
    checkTasks(tasks, name === 'rescue' ? scope.nested({ failure: FAILURE }) : scope, check)
  return ANY
}

function checkInclude(place: TaskPlace): Type {
  const { draft, body, scope, check } = place
  const { vars } = bodyOf(place)
  const path = [...body, 'vars']
  const types = Object.entries(isJsonObject(vars) ? vars : {}).map(
    ([name, value]) => [name, check.texts.value(value, { path: [...path, name], scope })] as const,
  )
  const file = draft.files.get('tasks')
  if (file === undefined) return ANY
  const texts = check.texts.within(file.document)
  checkTasks(file.tasks, check.base.nested(Object.fromEntries(types)), { ...check, texts })
  if (!check.sound) return ANY
  const names = types.map(([name]) => name)
  warnOfUnusedGiven(names, path, check.texts, texts)
  warnOfUnusedNames(file.tasks, texts)
  return ANY
}
