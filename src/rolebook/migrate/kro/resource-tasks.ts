import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { asWhole } from '../cel/as-whole.ts'
import type { CelScope } from '../cel/cel-scope.ts'
import { settle } from '../cel/settle.ts'
import { translate } from '../cel/to-jsonata.ts'
import { LEVEL, listOf, operandText, type Translation, translation } from '../cel/translation.ts'
import type { KnownKinds } from '../known-kinds.ts'
import type { NewTask } from '../new-task.ts'
import { placed, Undecided } from '../undecided.ts'
import type { KroNames } from './kro-names.ts'
import { isCollection, type KroResource } from './kro-resource.ts'
import { escaped, soleExpression, translateTemplate } from './template-value.ts'

/** What has become of a resource. */
export interface ResourceTasks {
  readonly resource: KroResource
  /** In JSONata: when the resource is wanted. */
  readonly when: readonly string[]
  /** What must be there before. */
  readonly needs: readonly string[]
  /** The task itself, without what depends on other resources. */
  readonly task: NewTask
  /** Fields that were left out, for a person to decide. */
  readonly leftOut: readonly { readonly error: Undecided; readonly path: JsonPath }[]
  /** The namespace that it names, when that is not the one of the instance. */
  readonly namespace: string | undefined
  /** Whether the task has failed for good: it is all that is left of a resource without a translation. */
  readonly isLost: boolean
}

/** The task that makes or reads what a resource of kro does. @throws Undecided */
export function resourceTasks(resource: KroResource, names: KroNames, known: KnownKinds): ResourceTasks {
  const needs = new Set<string>()
  const loop = readLoop(resource, names, needs)
  const outer = names.scope()
  const when = conditions(resource.includeWhen, [...resource.path, 'includeWhen'], outer).map((one) => {
    for (const need of one.needs) needs.add(need)
    return operandText(one, LEVEL.and)
  })
  const leftOut: { error: Undecided; path: JsonPath }[] = []
  const scope = { ...names.scope(loop.names), conditional: when.length > 0 }
  const leaveOut = (error: Undecided, path: JsonPath): boolean => {
    if (!mayBeLeftOut(resource, path, known)) return false
    leftOut.push({ error, path })
    return true
  }
  const context = { scope, path: resource.objectPath, needs, leaveOut }
  const object = translateTemplate(resource.object, context) as JsonObject
  const { manifest, namespace } = ownNamespace(object)
  const body = bodyOf(resource, manifest)
  const ready = resource.use === 'ensure' ? readiness(resource, names, leftOut) : {}
  const fields = { name: resource.id, ...loop.fields, ...body, ...ready }
  const base = { resource, when, needs: [...needs], leftOut }
  return { ...base, task: { fields }, namespace, isLost: false }
}

/** A name, or what the schema of the kind requires, may not be missing, not even for a while. */
function mayBeLeftOut({ objectPath, gvk, use }: KroResource, path: JsonPath, known: KnownKinds): boolean {
  const steps = path.slice(objectPath.length)
  const isName = steps[0] === 'metadata' && (steps[1] === 'name' || steps[1] === 'namespace')
  if (use !== 'ensure' || isName) return false
  let schema = known.schema(gvk)
  for (const step of steps) {
    if (typeof step === 'number') schema = schema?.items
    else {
      if (schema?.required?.includes(step)) return false
      const values = schema?.additionalProperties
      schema = schema?.properties?.[step] ?? (typeof values === 'object' ? values : undefined)
    }
  }
  return true
}

/** kro's objects are in the namespace of the instance unless they say something else, and so are ours. */
function ownNamespace(object: JsonObject): { manifest: JsonObject; namespace: string | undefined } {
  const { namespace, ...others } = object.metadata as JsonObject
  if (typeof namespace !== 'string') return { manifest: object, namespace: undefined }
  // Of a cluster-scoped instance there is none.
  if (namespace === `\${metadata.namespace}`) return { manifest: { ...object, metadata: others }, namespace: undefined }
  return { manifest: object, namespace: /\$\w+\.metadata\.namespace/.test(namespace) ? undefined : namespace }
}

function bodyOf(resource: KroResource, object: JsonObject): JsonObject {
  const { use } = resource
  if (use === 'ensure') return { ensure: object }
  const { apiVersion, kind } = object
  const { name, namespace, selector } = object.metadata as JsonObject
  if (use === 'read') return { get: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) } }
  const chosen = isJsonObject(selector) && Object.keys(selector).length > 0 ? { selector } : {}
  // Without a namespace, kro looks in all of them.
  return { list: { apiVersion, kind, namespace: namespace ?? '*', ...chosen } }
}

function conditions(values: readonly JsonValue[], path: JsonPath, scope: CelScope): readonly Translation[] {
  return values.map((value, index) => {
    const place = [...path, index]
    return placed({ path: place }, () => settle(translate(soleExpression(value, place), scope), scope))
  })
}

/** `readyWhen` speaks of the object by its id, or of one of a collection as `each`. */
function readiness(
  resource: KroResource,
  names: KroNames,
  leftOut: { error: Undecided; path: JsonPath }[],
): JsonObject {
  const { id, readyWhen, path } = resource
  if (readyWhen.length === 0) return {}
  const self = names.liveObject(resource, '$self')
  const scope = names.scope(new Map([[isCollection(resource) ? 'each' : id, self]]))
  try {
    const all = conditions(readyWhen, [...path, 'readyWhen'], scope).flatMap((one) => {
      const text = operandText(one, LEVEL.and)
      // A comparison with what is not there yet is false by itself.
      return CARELESS.test(text) ? [...one.needs, text] : [text]
    })
    return { readyWhen: `\${${[...new Set(all)].join(' and ')}}` }
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    leftOut.push({ error, path: error.place?.path ?? path })
    return {}
  }
}

/** What may hold although something is missing. */
const CARELESS = /\$not\(|\?|\$count\(|!=|&|\$keys\(/

/** The iterators of a collection as one loop. @throws Undecided */
function readLoop(
  { forEach, path }: KroResource,
  names: KroNames,
  needs: Set<string>,
): { fields: JsonObject; names: ReadonlyMap<string, Translation> } {
  const iterators = forEach.map((value, index) => {
    const [[name, list] = ['', undefined], ...rest] = isJsonObject(value) ? Object.entries(value) : []
    const place = [...path, 'forEach', index, name]
    if (rest.length > 0 || name === '')
      throw new Undecided('RB1706', 'an iterator is a map with one name', { place: { path: place } })
    const scope = { ...names.scope(), inStep: forEach.length > 1 }
    const read = placed({ path: place }, () => settle(translate(soleExpression(list, place), scope), scope))
    for (const need of read.needs) needs.add(need)
    return { name, list: read, item: read.schema?.items }
  })
  const [first, ...others] = iterators
  if (!first) return { fields: {}, names: new Map() }
  if (others.length === 0) {
    const variable = names.freeName(first.name)
    const item = translation(`$${variable}`, { schema: first.item })
    const list = asWhole({ ...first.list, schema: listOf(first.item) })
    return { fields: { loop: `\${${list.text}}`, loopVar: variable }, names: new Map([[first.name, item]]) }
  }
  const inner = iterators.slice(0, -1).map(({ name, list }) => `${list.text}.($${name} := $; `)
  const last = iterators.at(-1) as (typeof iterators)[number]
  const pair = iterators.map(({ name }) => `"${name}": ${name === last.name ? '$' : `$${name}`}`).join(', ')
  const variable = names.freeName('combination')
  const items = iterators.map(
    ({ name, item }) => [name, translation(`$${variable}.${name}`, { schema: item })] as const,
  )
  const text = `[${inner.join('')}${last.list.text}.{${pair}}${')'.repeat(inner.length)}]`
  return { fields: { loop: `\${${text}}`, loopVar: variable }, names: new Map(items) }
}

/** What is left of a resource that has no translation: a task that fails with the reason, and the original as a comment. */
export function lostResource(id: string, value: JsonValue, error: Undecided): NewTask {
  const { message, hint } = error
  const original = printYaml([value]).trimEnd().split('\n')
  const decide = `Decide: ${message}${hint === undefined ? '' : ` (${hint})`}.`
  return {
    comments: [decide, 'What it was:', ...original],
    fields: { name: `Decide: ${id}`, fail: { message: `${id} was not moved over: ${escaped(message)}` } },
  }
}
