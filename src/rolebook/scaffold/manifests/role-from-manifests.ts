import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf, formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { escalationProblem } from '../../../engine/role/check/escalating-kinds.ts'
import { newCrd } from '../new-crd.ts'
import { findParameters, type Parameter } from './find-parameters.ts'
import { inServedVersion } from './modern-version.ts'
import { escaped, type NameRules, nameRules } from './name-rules.ts'

export interface ManifestsRole {
  /** Of the new kind. */
  readonly gvk: Gvk
  /** What the role is to make. */
  readonly objects: readonly KubeObject[]
  /** Above the role: where the objects come from. */
  readonly comment: string
  /** In place of those that are found, such as what overlays change. */
  readonly parameters?: readonly Parameter[] | undefined
  /** Whether a kind is in a namespace; unknown kinds are taken to be. */
  isNamespaced(gvk: Gvk): boolean
}

/** A role that makes given objects, by their paths in its folder, and what its entry in watches.yaml needs. */
export interface MadeRole {
  readonly files: Readonly<Record<string, string>>
  readonly entry: JsonObject
  readonly parameters: readonly Parameter[]
  readonly rules: NameRules
  /** What a person should know. */
  readonly notes: readonly string[]
}

export function roleFromManifests({ gvk, comment, parameters: given, isNamespaced, ...rest }: ManifestsRole): MadeRole {
  const objects = rest.objects.map(inServedVersion)
  const rules = nameRules(objects)
  const parameters = given ?? findParameters(objects, rules.base)
  const tasks = objects.map((object, index) => {
    const places = parameters.flatMap(({ field, places: all }) =>
      all.flatMap((place) => (place.object === index ? [[JSON.stringify(place.path), field] as const] : [])),
    )
    const manifest = parameterized(object, new Map(places), rules)
    return { name: taskName(object, rules.base), ensure: manifest }
  })
  const singular = gvk.kind.toLowerCase()
  const sample = sampleOf(gvk, { name: rules.base, namespace: rules.namespace, parameters })
  return {
    files: {
      'role.yaml': `# ${comment}\n${printYaml([{ tasks: unique(tasks) }])
        .replace(/\n {2}- name: /g, '\n\n  - name: ')
        .replace('tasks:\n\n', 'tasks:\n')}`,
      'crd.yaml': printYaml([newCrd({ gvk, spec: specSchema(parameters) })]),
      [`samples/${singular}.yaml`]: printYaml([sample]),
    },
    entry: entryOf(objects, rules, isNamespaced),
    parameters,
    rules,
    notes: [...replacedVersions(rest.objects, objects), ...fixedNames(objects, rules)],
  }
}

export interface SampleParts {
  readonly name: string
  readonly namespace: string | undefined
  readonly parameters: readonly Pick<Parameter, 'field' | 'value'>[]
}

/** The sample resource: with it, the role makes the same objects as the manifests. */
export function sampleOf(gvk: Gvk, { name, namespace, parameters }: SampleParts): JsonObject {
  const spec: JsonObject = {}
  for (const { field, value } of parameters) put(spec, field, value)
  return {
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec,
  }
}

function put(target: JsonObject, [step = '', ...rest]: readonly string[], value: JsonValue): void {
  const here = target as { [key: string]: JsonValue | undefined }
  if (rest.length === 0) here[step] = value
  else {
    here[step] ??= {}
    put(here[step] as JsonObject, rest, value)
  }
}

/** Every field that the objects have now is needed for them to be as they are. */
function specSchema(parameters: readonly Parameter[]): JsonObject {
  const schema: JsonObject = { type: 'object', required: [], properties: {} }
  for (const { field, schema: one } of parameters) putSchema(schema, field, one)
  return withoutEmptyRequired(schema)
}

function putSchema(schema: JsonObject, [step = '', ...rest]: readonly string[], one: JsonObject): void {
  const { properties, required } = schema as unknown as {
    properties: { [key: string]: JsonObject }
    required: string[]
  }
  if (!required.includes(step)) required.push(step)
  if (rest.length === 0) properties[step] = one
  else {
    properties[step] ??= { type: 'object', required: [], properties: {} }
    putSchema(properties[step] as JsonObject, rest, one)
  }
}

function withoutEmptyRequired(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema
  return isJsonArray(required) && required.length > 0 ? schema : rest
}

function parameterized(
  object: KubeObject,
  places: ReadonlyMap<string, readonly string[]>,
  rules: NameRules,
): JsonObject {
  const walk = (value: JsonValue, path: JsonPath): JsonValue => {
    const field = places.get(JSON.stringify(path))
    if (field) return `\${spec.${field.join('.')}}`
    if (typeof value === 'string') return rules.replace(value, path) ?? escaped(value)
    if (isJsonArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(
      ([key, inner]) => [escaped(key), walk(inner as JsonValue, [...path, key])] as const,
    )
    return Object.fromEntries(entries)
  }
  const { metadata, ...rest } = walk(object as unknown as JsonValue, []) as JsonObject
  const { namespace, ...others } = metadata as JsonObject
  // The namespace of the resource need not be said.
  const kept = namespace === undefined || namespace === `\${metadata.namespace}` ? others : metadata
  const { apiVersion, kind, ...body } = rest
  return { apiVersion, kind, metadata: kept as JsonValue, ...body }
}

function taskName({ kind, metadata: { name = '' } }: KubeObject, base: string): string {
  const rest = name.startsWith(`${base}-`) ? name.slice(base.length + 1) : name === base ? '' : name
  return rest === '' ? kind : `${kind} ${escaped(rest)}`
}

function unique<T extends { readonly name: string }>(tasks: readonly T[]): T[] {
  const seen = new Map<string, number>()
  return tasks.map((task) => {
    const count = (seen.get(task.name) ?? 0) + 1
    seen.set(task.name, count)
    return count === 1 ? task : { ...task, name: `${task.name} (${count})` }
  })
}

/** Where the role writes beside the namespace of its resource, and kinds that raise rights. */
function entryOf(
  objects: readonly KubeObject[],
  { namespace }: NameRules,
  isNamespaced: ManifestsRole['isNamespaced'],
): JsonObject {
  const outside = objects.some((object) => {
    const { namespace: own } = object.metadata
    return !isNamespaced(gvkOf(object)) || (own !== undefined && own !== namespace)
  })
  const risky = objects.filter(
    (object) => escalationProblem(gvkOf(object), object as unknown as JsonObject, []) !== undefined,
  )
  const kinds = [...new Set(risky.map((object) => formatGroupKind(gvkOf(object))))].sort()
  return { ...(outside && { allowedNamespaces: ['*'] }), ...(kinds.length > 0 && { acknowledge: kinds }) }
}

function replacedVersions(before: readonly KubeObject[], after: readonly KubeObject[]): readonly string[] {
  return before.flatMap(({ apiVersion, kind, metadata }, index) => {
    const now = after[index]?.apiVersion
    return now === apiVersion
      ? []
      : [`${kind} ${metadata.name}: ${now} in place of ${apiVersion}, which servers no longer serve`]
  })
}

function fixedNames(objects: readonly KubeObject[], { base }: NameRules): readonly string[] {
  return objects.flatMap(({ kind, metadata: { name = '' } }) => {
    const follows = name === base || name.startsWith(`${base}-`)
    return follows
      ? []
      : [`${kind} ${name}: the name does not follow from that of the resource, so there can be one resource`]
  })
}
