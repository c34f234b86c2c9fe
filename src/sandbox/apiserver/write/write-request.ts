import type { Clock } from '../../../core/base/clock.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { User } from '../access/user.ts'
import type { KindSettings } from '../kinds/kind-rules.ts'
import type { ObjectApi } from '../object-api.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ServedResource } from '../served-resource.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { StoredObject } from '../store/stored-object.ts'
import type { Identities } from './identities.ts'
import type { OutsideAnswers } from './outside-answers.ts'

/** What every write needs of the server. */
export interface ServerState {
  readonly store: ObjectStore
  readonly registry: ResourceRegistry
  readonly clock: Clock
  readonly objects: ObjectApi
  readonly admission?: Admission | undefined
  /** Defaults to random ones. */
  readonly identities?: Identities | undefined
  /** Defaults to those of a whole cluster. */
  readonly settings?: KindSettings | undefined
}

/** What a write is about and on whose behalf, whichever way it came in. */
export interface WriteRequest {
  readonly resource: ServedResource
  /** Empty for a cluster-scoped resource. */
  readonly namespace: string
  /** Empty on POST, where the object carries it. */
  readonly name: string
  /** Empty on the main endpoint. */
  readonly subresource: string
  /** Field manager. */
  readonly manager: string
  readonly user: User
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  /** What the client itself said of its options; admission is shown that. */
  readonly options?: JsonObject | undefined
  /** The object is one of a collection that is deleted: admission does not see its name. */
  readonly isOfCollection?: boolean | undefined
  /** The object is stored also when none of its fields changes. */
  readonly storesUnchanged?: boolean | undefined
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void
  /** Absent for controllers of the server itself, which need no rights. */
  readonly outside?: OutsideAnswers | undefined
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

export interface AdmittedChange {
  readonly operation: Operation
  /** The object that will be stored; for a DELETE, the existing object. */
  readonly object: KubeObject
  /** Absent on creation. */
  readonly old?: KubeObject | undefined
}

/** What stands between a request that is allowed and the store: escalation, Pod Security, policies, webhooks, quotas. */
export interface Admission {
  /**
   * Before validation: may return another object.
   *
   * @throws ApiError
   */
  mutate(state: ServerState, request: WriteRequest, change: AdmittedChange): KubeObject
  /**
   * After validation, right before the store.
   *
   * @throws ApiError
   */
  validate(state: ServerState, request: WriteRequest, change: AdmittedChange): void
}

/** What a write came to. `object` is in the version of the request. */
export interface WriteResult {
  readonly object: KubeObject
  readonly created: boolean
  /** What was stored; absent when nothing was, or when `object` is something else. */
  readonly stored?: StoredObject | undefined
}

/** `2026-01-01T00:00:00Z`: times of the API have whole seconds. The text is made once a second, and kept once. */
export function timestampOf(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== latest.second) latest = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` }
  return latest.text
}

let latest = { second: Number.NaN, text: '' }
