import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf, formatGroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import { escalationProblem } from '../../../engine/role/check/escalating-kinds.ts'
import { sampleSpec } from '../../scaffold/sample-spec.ts'
import type { KnownKinds } from '../known-kinds.ts'
import { type NewTask, printTasks } from '../new-task.ts'
import type { Report } from '../report.ts'
import { Undecided } from '../undecided.ts'
import { arrangeTasks, orderedIds } from './arrange-tasks.ts'
import { kroCrd } from './kro-crd.ts'
import { KroNames } from './kro-names.ts'
import { type KroResource, readResource } from './kro-resource.ts'
import type { NewSchema } from './new-schema.ts'
import { lostResource, type ResourceTasks, resourceTasks } from './resource-tasks.ts'
import { fieldsSchema, withMapDefaults } from './simple-schema.ts'
import { type KroStatus, statusTasks } from './status-tasks.ts'
import { namesIn } from './template-value.ts'

/** What has become of a ResourceGraphDefinition. */
export interface MigratedDefinition {
  readonly gvk: Gvk
  /** The name of the role. */
  readonly role: string
  /** Of watches.yaml. */
  readonly entry: JsonObject
  readonly crd: JsonObject
  /** Of role.yaml. */
  readonly text: string
  readonly sample: JsonObject
}

export interface DefinitionOptions {
  readonly report: Report
  readonly known: KnownKinds
}

export function migrateDefinition(document: ParsedYaml, { report, known }: DefinitionOptions): MigratedDefinition {
  const whole = document.value as JsonObject
  const spec = mapAt(whole, 'spec')
  const declared = mapAt(spec, 'schema')
  const gvk = {
    group: text(declared.group, 'kro.run'),
    version: text(declared.apiVersion, 'v1alpha1'),
    kind: text(declared.kind, 'Thing'),
  }
  const role = gvk.kind.toLowerCase()
  const resources = readResources(spec.resources, { document, report })
  const parts = { document, declared, resources, known }
  // What expressions cannot do without is known once all of them were read; then it is required.
  const free = specSchema(parts, report)
  const first = translateAll(parts, free, undefined)
  const required = withRequired(
    free,
    [...first.names.neededSpec].map((path) => path.split('.').slice(1)),
  )
  for (const path of required.added) {
    report.add('note', document.locate(['spec', 'schema', 'spec', ...path]), `spec.${path.join('.')}`, REQUIRED)
  }
  const schema = withMapDefaults(required.schema)
  const { tasks: found, status, made } = translateAll(parts, schema, report)
  const tasks = found.length > 0 ? found : [nothing(document, report)]
  const name = text(mapAt(whole, 'metadata').name, role)
  const sample = {
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    metadata: { name: `${role}-sample` },
    spec: sampleSpec(schema),
  }
  return {
    gvk,
    role,
    entry: { ...gvk, role, ...namespacesOf(made, known), ...acknowledged(made) },
    crd: kroCrd({ gvk, declared, spec: schema, status: status.properties }),
    text: `# Made from the ResourceGraphDefinition ${name} by \`rolebook migrate kro\`.\ntasks:\n${printTasks(tasks, 2)}`,
    sample,
  }
}

/** A role has at least one task. */
function nothing(document: ParsedYaml, report: Report): NewTask {
  const error = new Undecided('RB1704', 'the definition has no resources')
  report.decide(document.locate(['spec', 'resources'], 'key'), 'resources', error)
  return {
    comments: [`Decide: ${error.message}.`],
    fields: { name: 'Decide: nothing to do', fail: { message: error.message } },
  }
}

const REQUIRED = 'required: kro takes a resource without it, and then fails'

interface Parts {
  readonly document: ParsedYaml
  readonly declared: JsonObject
  readonly resources: readonly KroResource[]
  readonly known: KnownKinds
}

function readResources(
  value: JsonValue | undefined,
  { document, report }: { document: ParsedYaml; report: Report },
): readonly KroResource[] {
  const entries = isJsonArray(value) ? value : []
  return entries.flatMap((entry, index) => {
    const path = ['spec', 'resources', index]
    try {
      return readResource(entry, path)
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      report.decide(document.locate(error.place?.path ?? path), `resources[${index}]`, error)
      return []
    }
  })
}

function specSchema({ document, declared }: Parts, report: Report): NewSchema {
  const path = ['spec', 'schema', 'spec']
  const types = mapAt(declared, 'types')
  const decide = (error: Undecided, name: string): void => {
    report.decide(document.locate(error.place?.path ?? path), `spec.${name}`, error)
  }
  return fieldsSchema(mapAt(declared, 'spec'), { types, path, decide })
}

/** A schema in which the fields at some paths are required. */
function withRequired(
  schema: NewSchema,
  paths: readonly (readonly string[])[],
): { schema: NewSchema; added: readonly (readonly string[])[] } {
  const whole = structuredClone(schema)
  return { added: paths.filter((path) => requirePath(whole, path)), schema: whole }
}

/** From the inside out: a map in which a field is required comes into being by itself no more. @returns whether it was not required before */
function requirePath(schema: NewSchema, [name = '', ...rest]: readonly string[]): boolean {
  const field = schema.properties?.[name]
  if (!field) return false
  const isNew = requirePath(field, rest)
  // A map whose fields have defaults comes into being by itself.
  if (hasDefaults(field) || schema.required?.includes(name)) return isNew
  schema.required = [...(schema.required ?? []), name]
  return true
}

function hasDefaults(schema: NewSchema): boolean {
  return withMapDefaults(schema).default !== undefined
}

interface Translated {
  readonly names: KroNames
  readonly tasks: readonly NewTask[]
  readonly status: KroStatus
  readonly made: readonly ResourceTasks[]
}

/** @param report absent: nothing is reported */
function translateAll(parts: Parts, spec: NewSchema, report: Report | undefined): Translated {
  const { resources, known, declared } = parts
  const names = new KroNames(resources, spec, known)
  const ids = new Set(resources.map(({ id }) => id))
  const needs = new Map(resources.map(({ id, value }) => [id, idsIn(value, ids, id)] as const))
  const byId = new Map(resources.map((resource) => [resource.id, resource]))
  const made = new Map<string, ResourceTasks>()
  for (const id of orderedIds(needs, () => false)) {
    const resource = byId.get(id)
    if (resource) made.set(id, translateResource(resource, names, parts, report))
  }
  const read = new Set(names.used)
  names.used.clear()
  const status = translateStatus(mapAt(declared, 'status'), names, parts, { report, read })
  return {
    names,
    status,
    made: [...made.values()],
    tasks: [...arrangeTasks(made, { needs, names, read }), ...status.tasks],
  }
}

function idsIn(value: JsonValue, ids: ReadonlySet<string>, own: string): ReadonlySet<string> {
  return new Set([...namesIn(value)].filter((name) => ids.has(name) && name !== own))
}

function translateResource(
  resource: KroResource,
  names: KroNames,
  { document, known }: Parts,
  report: Report | undefined,
): ResourceTasks {
  const { id, path, value } = resource
  try {
    const done = resourceTasks(resource, names, known)
    for (const { error, path: place } of done.leftOut) report?.decide(document.locate(place), id, error)
    if (done.leftOut.length > 0) return done
    const words = resource.use === 'ensure' ? 'ensure' : resource.use === 'read' ? 'get' : 'list'
    report?.add('same', document.locate(path), id, words)
    return done
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    const { path: place, at, offset } = error.place ?? { path }
    report?.decide(document.locate(place, at, offset), id, error)
    names.lose(id)
    const task = lostResource(id, value, error)
    return { resource, when: [], needs: [], task, leftOut: [], namespace: undefined, isLost: true }
  }
}

function translateStatus(
  status: JsonObject,
  names: KroNames,
  { document }: Parts,
  { report, read }: { readonly report: Report | undefined; readonly read: Set<string> },
): KroStatus {
  const path = ['spec', 'schema', 'status']
  const locate = (name: string, place: JsonPath = [...path, name]) => document.locate(place)
  return statusTasks(status, {
    path,
    // Nothing in the status is needed for the resource to be worked on.
    scope: { ...names.scope(), conditional: true },
    takeUsed: () => {
      const used = [...names.used]
      for (const id of used) read.add(id)
      names.used.clear()
      return used
    },
    decide: (error, name) => report?.decide(locate(name, error.place?.path), `status.${name}`, error),
    moved: (name) => report?.add('same', locate(name), `status.${name}`, 'status'),
  })
}

/** Where the role writes and reads beside the namespace of its resource. */
function namespacesOf(made: readonly ResourceTasks[], known: KnownKinds): JsonObject {
  const isElsewhere = made.some(({ namespace, resource: { gvk }, task: { fields }, isLost }) => {
    if (isLost) return false
    const readsAll = isJsonObject(fields.list) && fields.list.namespace === '*'
    return namespace !== undefined || readsAll || known.isNamespaced(gvk) === false
  })
  return isElsewhere ? { allowedNamespaces: ['*'] } : {}
}

/** Kinds that raise rights, which the person who wrote the definition has wanted. */
function acknowledged(made: readonly ResourceTasks[]): JsonObject {
  const kinds = made.flatMap(({ resource: { use, gvk, object }, isLost }) => {
    const isRisky = use === 'ensure' && !isLost && escalationProblem(gvk, object, []) !== undefined
    return isRisky ? [formatGroupKind(gvk)] : []
  })
  return kinds.length === 0 ? {} : { acknowledge: [...new Set(kinds)].sort() }
}

function mapAt(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isJsonObject(found) ? found : {}
}

function text(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback
}
