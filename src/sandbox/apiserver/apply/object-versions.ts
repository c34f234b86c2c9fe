import { explain } from '../../../core/base/coded-error.ts'
import type { JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { type MergeType, mergeTypeOf } from '../../../core/schema/merge-type.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { internalError } from '../patch/patch-error.ts'
import { PendingAnswer } from '../write/outside-answers.ts'
import { checkType } from './check-type.ts'

/** An object in one version with the type of that version. */
export interface TypedObject {
  readonly value: JsonValue
  readonly apiVersion: string
  readonly type: MergeType
}

/** The versions of a kind that has more than one, for entries of managers that use another one. */
export interface OtherVersions {
  /** Entries of unknown versions are dropped. */
  knows(apiVersion: string): boolean
  /** @throws Error when there is no way from the version of the object to that one */
  convert(object: KubeObject, apiVersion: string): KubeObject
  schema(apiVersion: string): Schema | undefined
  /** Whether what an endpoint ignores is ignored in all versions, or only in that of the request. */
  ignoresAlike(subresource: string): boolean
}

/** A request in one version. */
export interface VersionsInput {
  readonly apiVersion: string
  readonly schema: Schema | undefined
  readonly versions?: OtherVersions | undefined
  readonly subresource: string
}

/** Objects of one kind in the versions in which managers own their fields. */
export class ObjectVersions {
  readonly #apiVersion: string
  readonly #type: MergeType
  readonly #others: OtherVersions | undefined
  readonly #subresource: string

  constructor({ apiVersion, schema, versions, subresource }: VersionsInput) {
    this.#apiVersion = apiVersion
    this.#type = mergeTypeOf(schema)
    this.#others = versions
    this.#subresource = subresource
  }

  typed(value: JsonValue): TypedObject {
    return { value, apiVersion: this.#apiVersion, type: this.#type }
  }

  knows(apiVersion: string): boolean {
    return apiVersion === this.#apiVersion || this.#others?.knows(apiVersion) === true
  }

  /** Whether an endpoint ignores the same fields in a version as in the one of the request. */
  ignoresIn(apiVersion: string): boolean {
    return apiVersion === this.#apiVersion || this.#others?.ignoresAlike(this.#subresource) === true
  }

  /**
   * The object in another version that is known. `failed` stands before the cause when that cannot be.
   *
   * @throws PatchError
   */
  convert(object: TypedObject, apiVersion: string, failed = ''): TypedObject {
    if (object.apiVersion === apiVersion || this.#others === undefined) return object
    const value = this.#convertValue(this.#others, object.value as KubeObject, { apiVersion, failed })
    const type = mergeTypeOf(this.#others.schema(apiVersion))
    const problem = checkType(value as JsonValue, type, { allowDuplicates: false })
    if (problem !== undefined) throw internalError(failed + problem)
    return { value: value as JsonValue, apiVersion, type }
  }

  #convertValue(
    others: OtherVersions,
    object: KubeObject,
    { apiVersion, failed }: { readonly apiVersion: string; readonly failed: string },
  ): KubeObject {
    try {
      return others.convert(object, apiVersion)
    } catch (error) {
      if (error instanceof PendingAnswer) throw error
      throw internalError(failed + explain(error))
    }
  }
}
