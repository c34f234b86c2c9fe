import type { JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { DEDUCED, type MergeType, mergeTypeOf } from '../../schema/merge-type.ts'
import type { Schema } from '../../schema/schema.ts'

/** An object in one version with the type of that version. */
export interface TypedObject {
  readonly value: JsonValue
  readonly apiVersion: string
  readonly type: MergeType
}

/** The other versions of a kind, for entries of managers that use them. */
export interface OtherVersions {
  /** Entries of a version that is not served any more are dropped. */
  isServed(apiVersion: string): boolean
  schema(apiVersion: string): Schema | undefined
  convert(object: KubeObject, apiVersion: string): KubeObject
}

/** Objects of one kind in the versions in which managers own their fields. */
export class ObjectVersions {
  readonly #apiVersion: string
  readonly #type: MergeType
  readonly #others: OtherVersions | undefined

  constructor(apiVersion: string, schema: Schema | undefined, others: OtherVersions | undefined) {
    this.#apiVersion = apiVersion
    this.#type = mergeTypeOf(schema)
    this.#others = others
  }

  typed(value: JsonValue): TypedObject {
    return { value, apiVersion: this.#apiVersion, type: this.#type }
  }

  /** The object in another version; `undefined` when that version is not served. */
  convert(object: TypedObject, apiVersion: string): TypedObject | undefined {
    if (object.apiVersion === apiVersion || this.#others === undefined) return object
    if (!this.#others.isServed(apiVersion)) return undefined
    const value = this.#others.convert(object.value as KubeObject, apiVersion)
    const schema = this.#others.schema(apiVersion)
    return { value, apiVersion, type: schema === undefined ? DEDUCED : mergeTypeOf(schema) }
  }
}
