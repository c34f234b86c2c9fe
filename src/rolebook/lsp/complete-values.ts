import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import { mappingsOfCrd } from '../../core/kube/crd-kinds.ts'
import { apiVersionOf, type Gvk } from '../../core/kube/group-version-kind.ts'
import { printFlowYaml } from '../../core/yaml/print-yaml.ts'
import { allowedCrdValues } from '../config/allowed-crd-values.ts'
import { type Cursor, MARK } from './cursor.ts'
import { documentedValues } from './documented-values.ts'
import { printSchemaType } from './print-schema.ts'
import type { FileUse, ProjectView } from './project-view.ts'
import { type SchemaPlace, type SchemaRules, schemaPlaceAt } from './schema-places.ts'
import type { Suggestion } from './suggestion.ts'

export interface ValueContext {
  readonly view: ProjectView
  readonly use: FileUse
  readonly rules: SchemaRules
}

/** Values that may stand at the cursor, where that is known. */
export function completeValues(cursor: Cursor, context: ValueContext): readonly Suggestion[] {
  const { document, place } = cursor
  const here = schemaPlaceAt(document.value, place.path, context.rules)
  const all = [
    ...kindParts(cursor, here, context),
    ...earlierTasks(document.value, place.path, context.rules),
    ...files(here, context),
    ...allowed(here),
    ...known(here, place.path, document.value),
  ]
  const { isQuoted } = place.scalar
  return [...new Map(all.map((one) => [one.label, isQuoted ? { ...one, insert: one.label } : one])).values()]
}

/** What a schema lists, and `true` and `false`. */
function allowed({ schemas }: SchemaPlace): readonly Suggestion[] {
  const defaults = schemas.map((schema) => schema.default)
  return schemas.flatMap((schema) => {
    const values = [
      ...(isJsonArray(schema.enum) ? schema.enum : []),
      ...(schema.const === undefined ? [] : [schema.const]),
    ]
    const isBoolean = schema.type === 'boolean' || (isJsonArray(schema.type) && schema.type.includes('boolean'))
    return [...values, ...(isBoolean ? [true, false] : [])].map((value) => ({
      label: String(value),
      kind: 'value' as const,
      detail: defaults.includes(value) ? 'the default' : printSchemaType(schema),
      rank: 0,
      insert: printFlowYaml(value),
    }))
  })
}

/** Values that no schema lists, and that a server or the documentation of the field does. */
function known({ schemas }: SchemaPlace, path: JsonPath, document: JsonValue): readonly Suggestion[] {
  const ofCrd = getPath(document, ['kind']) === 'CustomResourceDefinition' ? allowedCrdValues(path) : []
  return [...ofCrd, ...schemas.flatMap(documentedValues)].map((value) => toValue(value))
}

/** `apiVersion`, `kind` and the like: of built-in kinds and of those of the project. */
function kindParts({ document, place: { path } }: Cursor, here: SchemaPlace, context: ValueContext) {
  const field = path.at(-1)
  const { view, use } = context
  const around = getPath(document.value, path.slice(0, -1))
  const body = isJsonObject(around) ? around : {}
  if (use.use === 'watches' && path.length === 2) return watchParts(String(field), body, view)
  const isBody = here.task
    ? here.task.path.length === 1
    : use.use === 'test' || (path.length === 1 && use.use === 'manifests')
  if (!isBody || (field !== 'apiVersion' && field !== 'kind')) return []
  const gvks = knownKinds(view)
  const { apiVersion, kind } = body
  if (field === 'kind') {
    const fitting = gvks.filter((gvk) => apiVersion === undefined || apiVersionOf(gvk) === apiVersion)
    return fitting.map((gvk) => toValue(gvk.kind, apiVersionOf(gvk)))
  }
  const fitting = gvks.filter((gvk) => typeof kind !== 'string' || kind.includes(MARK) || gvk.kind === kind)
  return fitting.map((gvk) => toValue(apiVersionOf(gvk)))
}

/** Of an entry of watches.yaml: the kinds of CRDs, and the roles that are there. */
function watchParts(
  field: string,
  { group, kind }: { readonly [key: string]: JsonValue | undefined },
  view: ProjectView,
): readonly Suggestion[] {
  if (field === 'role') {
    const roles = [...view.files.roles].filter(([, { role }]) => role.length > 0)
    return roles.map(([name]) => toValue(name, 'role'))
  }
  const gvks = customKinds(view)
  if (field === 'group') return gvks.map((gvk) => toValue(gvk.group))
  const ofGroup = gvks.filter((gvk) => typeof group !== 'string' || gvk.group === group)
  if (field === 'kind') return ofGroup.map((gvk) => toValue(gvk.kind, apiVersionOf(gvk)))
  const ofKind = ofGroup.filter((gvk) => typeof kind !== 'string' || gvk.kind === kind)
  return field === 'version' ? ofKind.map((gvk) => toValue(gvk.version)) : []
}

function knownKinds(view: ProjectView): readonly Gvk[] {
  const { builtin, crds = [] } = view.options.schemas
  return [...customKinds(view), ...crds.flatMap(kindsOf), ...builtin.resources()]
}

function customKinds(view: ProjectView): readonly Gvk[] {
  return view.crds.flatMap(({ object }) => kindsOf(object))
}

function kindsOf(crd: JsonObject): readonly Gvk[] {
  return mappingsOfCrd(crd).map(({ gvk }) => gvk)
}

/** `after`: the names of tasks that stand before, in the same list. */
function earlierTasks(value: JsonValue, path: JsonPath, rules: SchemaRules): readonly Suggestion[] {
  const place = path.lastIndexOf('after')
  const task = path.slice(0, place)
  const index = task.at(-1)
  const isEntry = typeof path[place + 1] === 'number' && ['task', undefined].includes(path[place + 2] as string)
  if (place < 0 || typeof index !== 'number' || !isEntry || !schemaPlaceAt(value, task, rules).isTask) return []
  const tasks = getPath(value, task.slice(0, -1))
  const names = (isJsonArray(tasks) ? tasks : []).slice(0, index).map((one) => getPath(one, ['name']))
  return names.flatMap((name) => (typeof name === 'string' ? [toValue(name, 'task')] : []))
}

/** The field of a task that names a file of tasks. */
function files({ task }: SchemaPlace, { view, use }: ValueContext): readonly Suggestion[] {
  const [field, ...rest] = task?.path ?? []
  if (!('role' in use) || rest.length > 0 || !task?.kind.files?.includes(String(field))) return []
  const paths = [...(view.files.roles.get(use.role)?.files.keys() ?? [])]
  const own = 'path' in use ? use.path : undefined
  return paths
    .filter((path) => path.endsWith('.yaml') && path !== own)
    .map((label) => ({ label, kind: 'file' as const, rank: 0 }))
}

function toValue(label: string, detail?: string): Suggestion {
  return { label, kind: 'value', detail, rank: 0, insert: printFlowYaml(label) }
}
