import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { Changes, changeItems, isContainer } from '../../../../core/schema/changes.ts'
import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'
import { decodeKeepingEmpty, type Field, fieldOf, keepingDecoder, structOf } from './go-decoder.ts'

/*
 * To Go, a list, a map or bytes that are there and empty differ from none: validation may refuse the ones and take the
 * others, and shows them in another way. An object that was stored has none that its type would leave out, and null in the
 * place of those that its type always writes.
 */

/** As `keepingDecoder`, without what is empty. */
export function goDecoder(schema: Schema): (object: KubeObject) => KubeObject {
  const decode = keepingDecoder(schema)
  return (object) => withoutEmpty(decode(object), schema)
}

/**
 * A part of an object, read as the Go type behind its schema, without what is empty.
 *
 * @throws DecodeProblem
 */
export function decodePart(part: JsonObject, schema: Schema): JsonObject {
  return withoutEmpty(decodeKeepingEmpty(part, schema), schema)
}

/** A value as others see it: without what is empty and left out by its type. */
export function withoutEmpty<T extends object>(value: T, schema: Schema): T {
  return dropFromParts(value as JsonObject, schema, LEFT_OUT) as T
}

/** What becomes of the empty parts of an object. */
export interface EmptyForms {
  /** As the storage gives the object back. */
  readonly stored: (object: KubeObject) => KubeObject
  /**
   * As the fields of its managers are computed from the stored object: what is empty counts in lists that are one value, which
   * are compared as they are in memory.
   */
  readonly tracked: (object: KubeObject) => KubeObject
  /** As others see the object. */
  readonly shown: (object: KubeObject) => KubeObject
}

export function emptyForms(schema: Schema): EmptyForms {
  return {
    stored: (object) => dropFromParts(object, schema, STORED) as KubeObject,
    tracked: (object) => dropFromParts(object, schema, TRACKED) as KubeObject,
    shown: (object) => withoutEmpty(object, schema),
  }
}

/** Which of them go, and how. */
interface Form {
  /** Of those that the type always writes. */
  readonly writesNull: boolean
  /** Whether those in a list that is one value stay. */
  readonly keepsLeaves: boolean
  /** Parts of objects, such as `spec`, that have none: the versions of an object share most of them. */
  readonly clean: WeakSet<object>
}

const LEFT_OUT: Form = { writesNull: false, keepsLeaves: false, clean: new WeakSet() }
const STORED: Form = { writesNull: true, keepsLeaves: false, clean: new WeakSet() }
const TRACKED: Form = { writesNull: false, keepsLeaves: true, clean: new WeakSet() }

/** The very object when it has nothing to drop. */
function dropFromParts(object: JsonObject, schema: Schema, form: Form): JsonValue {
  return dropFromFields(object, schema, form, (value, inner) => dropOnce(value, inner, form))
}

/** A part that is known to be clean is not walked again. To remember more than parts costs more than a walk. */
function dropOnce(value: JsonValue, schema: Schema, form: Form): JsonValue {
  if (!isContainer(value) || form.clean.has(value)) return value
  const dropped = dropEmpty(value, schema, form)
  if (dropped === value) form.clean.add(value)
  return dropped
}

function dropEmpty(value: JsonValue, schema: Schema, form: Form, isLeaf = false): JsonValue {
  if (isJsonArray(value)) return dropFromItems(value, schema, form, isLeaf)
  if (!isJsonObject(value)) return value
  const isInLeaf = isLeaf || schema['x-kubernetes-map-type'] === 'atomic'
  return dropFromFields(value, schema, form, (field, inner) => dropEmpty(field, inner, form, isInLeaf))
}

function dropFromItems(list: readonly JsonValue[], schema: Schema, form: Form, isLeaf: boolean): JsonValue {
  const { items, 'x-kubernetes-list-type': type = 'atomic' } = schema
  if (items === undefined || (form.keepsLeaves && (isLeaf || type === 'atomic'))) return list
  return changeItems(list, (item) => dropEmpty(item, items, form, isLeaf))
}

function dropFromFields(
  object: JsonObject,
  schema: Schema,
  { writesNull }: Form,
  drop: (value: JsonValue, schema: Schema) => JsonValue,
): JsonValue {
  const values = additionalSchemaOf(schema)
  if (values === undefined && schema.properties === undefined) return object
  const changes = new Changes(object)
  const struct = structOf(schema)
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || value === null) continue
    const field = values === undefined ? fieldOf(struct, name) : undefined
    const inner = field?.schema ?? values
    if (inner === undefined) continue
    if (field === undefined || !isEmptyPart(value, field)) changes.set(name, drop(value, inner))
    else if (!field.isAlwaysThere || field.isValue) changes.drop(name)
    else if (writesNull) changes.set(name, null)
  }
  return changes.result()
}

function isEmptyPart(value: JsonValue, { holds }: Field): boolean {
  if (isJsonArray(value)) return holds === 'items' && value.length === 0
  if (isJsonObject(value)) return holds === 'values' && Object.keys(value).length === 0
  return holds === 'bytes' && value === ''
}
