import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { propertySchema } from '../../core/schema/schema.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'

/** Of Kubernetes, or one of our own: what matters to an editor is written alike in both. */
export type AnySchema = Schema & { readonly $ref?: string; readonly const?: JsonValue; readonly examples?: JsonValue }

/** What a document is checked against. */
export interface SchemaRules {
  /** Of the whole document. */
  readonly root: AnySchema
  readonly kinds: readonly TaskKind[]
  readonly schemas: KindSchemas
  /** Of the resource that the role looks after. */
  readonly resource: Schema | undefined
}

/** A place of a document, and what may stand there. */
export interface SchemaPlace {
  readonly schemas: readonly AnySchema[]
  /** The kind of task in whose body the place is, and the path within that. */
  readonly task?: { readonly kind: TaskKind; readonly body: JsonValue | undefined; readonly path: JsonPath } | undefined
  /** Whether the place is a task itself: its keys are kinds and modifiers. */
  readonly isTask: boolean
}

/** The schemas of the value at a path of a document, which is as far as it could be read. */
export function schemaPlaceAt(value: JsonValue, path: JsonPath, rules: SchemaRules): SchemaPlace {
  let place: SchemaPlace = { schemas: expand([manifestOr(rules.root, value, rules)], rules), isTask: false }
  for (const [index, step] of path.entries()) {
    const next = place.schemas.flatMap((schema) => stepInto(schema, step))
    const kind = place.isTask ? rules.kinds.find(({ name }) => name === step) : undefined
    const body = kind && getPath(value, path.slice(0, index + 1))
    const task = kind ? { kind, body, path: [] } : within(place, step)
    const further = kind ? bodySchemas(kind, body, rules) : []
    const schemas = expand([...next, ...further], rules)
    const isTask = schemas.some((schema) => isTaskSchema(schema, rules))
    place = { schemas, isTask, task: isTask ? undefined : task }
  }
  return place
}

function within({ task }: SchemaPlace, step: string | number): SchemaPlace['task'] {
  return task && { ...task, path: [...task.path, step] }
}

function stepInto(schema: AnySchema, step: string | number): readonly AnySchema[] {
  const next = typeof step === 'number' ? schema.items : propertySchema(schema, step)
  return typeof next === 'object' ? [next] : []
}

/** A schema with what it refers to and the forms that it may have. */
function expand(found: readonly AnySchema[], rules: SchemaRules): readonly AnySchema[] {
  return found.flatMap((schema) => {
    const target = schema.$ref === undefined ? [] : [referred(schema.$ref, rules.root)]
    const forms = isTaskSchema(schema, rules)
      ? []
      : [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    return [schema, ...expand([...target, ...forms] as readonly AnySchema[], rules)]
  })
}

function referred(reference: string, root: AnySchema): AnySchema {
  const path = reference.replace('#/', '').split('/')
  return (getPath(root as JsonObject, path) ?? {}) as AnySchema
}

function isTaskSchema({ properties }: AnySchema, { kinds }: SchemaRules): boolean {
  return properties !== undefined && kinds.every(({ name }) => Object.hasOwn(properties, name))
}

/** What a body holds besides what its kind says: a manifest of an object, or the status of the resource. */
function bodySchemas(kind: TaskKind, body: JsonValue | undefined, rules: SchemaRules): readonly AnySchema[] {
  if (kind.writesStatus === true) {
    const status = rules.resource && propertySchema(rules.resource, 'status')
    return status ? [status] : []
  }
  const schema = kind.schema.additionalProperties === false ? undefined : manifestSchema(body, rules)
  return schema ? [schema] : []
}

function manifestOr(root: AnySchema, value: JsonValue, rules: SchemaRules): AnySchema {
  const isOpen = Object.keys(root).length === 0
  return (isOpen && !isJsonArray(value) ? manifestSchema(value, rules) : undefined) ?? root
}

function manifestSchema(body: JsonValue | undefined, { schemas }: SchemaRules): Schema | undefined {
  if (!isJsonObject(body)) return undefined
  const { apiVersion, kind } = body
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined
  return schemas.get(gvkOf({ apiVersion, kind }))
}
