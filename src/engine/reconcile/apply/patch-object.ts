import { evictOldest } from '../../../core/base/evict-oldest.ts'
import { hashJson, sha256 } from '../../../core/base/hash.ts'
import type { JsonObject, JsonPath } from '../../../core/base/json.ts'
import { isConflict } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import type { GroupKind } from '../../../core/kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { WriteResult } from '../../role/run/run-context.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import type { RoleReconcilerOptions } from '../engine-options.ts'
import type { Installation } from '../ownership/ledger.ts'
import {
  APPLIED_ANNOTATION,
  applyEntryOf,
  type Owner,
  PATCH_MANAGER_PREFIX,
  PATCHED_LABEL,
  withoutMarks,
} from '../ownership/ownership.ts'
import type { ObjectCaches } from '../reconciler-ports.ts'
import type { Written } from '../trace/run-tracer.ts'
import { keyedHash } from './desired-object.ts'
import type { DriftFights, GivenUp } from './drift-fights.ts'
import { uncoveredFields } from './managed-fields.ts'
import { attempt, fieldConflict, isOtherObject } from './request-failure.ts'

/**
 * The field manager of the fields that one resource sets in one foreign object. It is made of what never changes. If it contained the name
 * of the task, renaming the task would leave the fields behind.
 */
export function patchManagerOf(ownerUid: string, { group, kind }: GroupKind, { namespace, name }: ObjectKey): string {
  return `${PATCH_MANAGER_PREFIX}${sha256(`${ownerUid}${group}/${kind}/${namespace}/${name}`).slice(0, 16)}`
}

export interface PatchRequest {
  readonly desired: KubeObject
  readonly live: KubeObject
  readonly mapping: ResourceMapping
  readonly owner: Owner
  readonly installation: Installation
  /** Whether to take fields from other managers, until they take them back too often. Defaults to false. */
  readonly force?: boolean | undefined
  /** Called once, before the first request that changes something. */
  beforeWrite(): Promise<void>
  /** Called with what was written. */
  onWritten?(written: Written): void
  readonly signal: AbortSignal
}

export interface PatchTools extends Pick<RoleReconcilerOptions, 'client' | 'caches'> {
  readonly fights: DriftFights
}

/** How many objects are remembered that admission rewrites. An object that is forgotten is sent once more. */
const CAPACITY = 10_000

/** Sets fields of foreign objects by server-side apply, with force only if the role says so, and releases them. Never creates an object. */
export class ObjectPatcher {
  readonly #client: KubeClient
  readonly #caches: ObjectCaches
  readonly #fights: DriftFights
  /** By manager: the hash of our entries after the last apply, if admission rewrote what was sent. */
  readonly #entries = new Map<string, string>()

  constructor({ client, caches, fights }: PatchTools) {
    this.#client = client
    this.#caches = caches
    this.#fights = fights
  }

  async patch(request: PatchRequest): Promise<WriteResult> {
    const { live, mapping, owner } = request
    const manager = patchManagerOf(owner.uid, mapping.gvk, keyOf(live))
    const { main, status } = partsOf(request, manager)
    if (this.#isUpToDate(live, { main, status, manager })) return { object: live, changed: false }
    const lost = request.force ? lostFields(live, { main, status, manager }) : []
    const fight = this.#fights.check(manager, lost)
    if (fight) throw patchFight(live, fight)
    await request.beforeWrite()
    const hadStatus = applyEntryOf(live, manager, 'status') !== undefined
    if (status || hadStatus) await this.#send(request, { object: status ?? identityOf(live), manager, status: true })
    const object = await this.#send(request, { object: main, manager, status: false })
    this.#fights.count(manager, lost)
    request.onWritten?.({ before: live, after: object, lost })
    if (isCovered(object, { main, status, manager })) this.#entries.delete(manager)
    else this.#remember(manager, entriesHash(object, manager))
    return { object, changed: true }
  }

  /** Releases all fields of `live` that the manager holds. Does nothing if the object is gone. */
  async release(
    live: KubeObject,
    manager: string,
    options: { mapping: ResourceMapping; signal: AbortSignal },
  ): Promise<void> {
    this.#entries.delete(manager)
    this.#fights.forget(manager)
    const { mapping, signal } = options
    for (const subresource of ['status', undefined] as const) {
      if (!applyEntryOf(live, manager, subresource)) continue
      try {
        await attempt({ verb: 'patch', mapping, key: keyOf(live), subresource, object: live }, () =>
          this.#client.apply(identityOf(live), { fieldManager: manager, force: true, subresource, signal }),
        )
      } catch (error) {
        if (!isOtherObject(error)) throw error
      }
    }
  }

  /** Foreign objects may be deleted without a release, so the number is bounded. */
  #remember(manager: string, entries: string): void {
    evictOldest({ capacity: CAPACITY, known: this.#entries }, (oldest) => this.#entries.delete(oldest))
    this.#entries.set(manager, entries)
  }

  #isUpToDate(live: KubeObject, parts: Parts): boolean {
    const key = appliedKey(parts.manager)
    if (live.metadata.annotations?.[key] !== parts.main.metadata.annotations?.[key]) return false
    return isCovered(live, parts) || this.#entries.get(parts.manager) === entriesHash(live, parts.manager)
  }

  async #send(
    { mapping, live, force = false, signal }: PatchRequest,
    { object, manager, status }: { object: KubeObject; manager: string; status: boolean },
  ): Promise<KubeObject> {
    const subresource = status ? 'status' : undefined
    try {
      const answer = await attempt({ verb: 'patch', mapping, key: keyOf(object), subresource, object: live }, () =>
        this.#client.apply(object, { fieldManager: manager, force, subresource, signal }),
      )
      this.#caches.wrote(answer)
      return answer
    } catch (error) {
      if (isConflict(error)) throw fieldConflict(error, object)
      if (!isOtherObject(error)) throw error
      throw new TaskFailure('Failed', `cannot patch ${formatObject(object)}: it was replaced meanwhile`, {
        retriable: true,
      })
    }
  }
}

interface Parts {
  readonly main: KubeObject
  readonly status: KubeObject | undefined
  readonly manager: string
}

function partsOf({ live, installation, ...request }: PatchRequest, manager: string): Omit<Parts, 'manager'> {
  const desired = withoutMarks(request.desired)
  const { status, metadata, ...rest } = desired
  const identity = identityOf(live)
  const main = {
    ...rest,
    metadata: {
      ...metadata,
      ...identity.metadata,
      labels: { ...metadata.labels, [PATCHED_LABEL]: 'true' },
      annotations: { ...metadata.annotations, [appliedKey(manager)]: keyedHash(desired, installation) },
    },
  }
  const identified = { ...identity, apiVersion: desired.apiVersion }
  return { main, status: status === undefined ? undefined : { ...identified, status } }
}

/** The annotation of one manager. Several resources may patch one object. */
function appliedKey(manager: string): string {
  return `${APPLIED_ANNOTATION}-${manager.slice(PATCH_MANAGER_PREFIX.length)}`
}

function isCovered(live: KubeObject, parts: Parts): boolean {
  if (uncoveredParts(live, parts).length > 0) return false
  return parts.status !== undefined || applyEntryOf(live, parts.manager, 'status') === undefined
}

/** Fields that the patch sets and our entries do not hold. */
function uncoveredParts(live: KubeObject, { main, status, manager }: Parts): readonly JsonPath[] {
  const fields = (subresource?: string): JsonObject | undefined => applyEntryOf(live, manager, subresource)?.fieldsV1
  const missing = uncoveredFields(main as JsonObject, fields(), live as JsonObject)
  return status
    ? [...missing, ...uncoveredFields({ status: status.status }, fields('status'), live as JsonObject)]
    : missing
}

/** Fields of an unchanged patch that another client has taken. A patch that is new or has changed has lost none. */
function lostFields(live: KubeObject, parts: Parts): readonly JsonPath[] {
  const key = appliedKey(parts.manager)
  const isSame = live.metadata.annotations?.[key] === parts.main.metadata.annotations?.[key]
  return isSame ? uncoveredParts(live, parts) : []
}

function patchFight(live: KubeObject, { field, milliseconds }: GivenUp): TaskFailure {
  const message = `cannot keep \`${field}\` of ${formatObject(live)}: another client keeps taking it back (it is left alone for a while)`
  return new TaskFailure('DriftFight', message, { retryAfter: milliseconds })
}

function entriesHash(live: KubeObject, manager: string): string {
  return hashJson([
    applyEntryOf(live, manager)?.fieldsV1 ?? null,
    applyEntryOf(live, manager, 'status')?.fieldsV1 ?? null,
  ])
}

/** The identity of an object and nothing else. With the uid, an apply cannot create the object. */
function identityOf(live: KubeObject): KubeObject {
  const { name, namespace, uid } = live.metadata
  return { apiVersion: live.apiVersion, kind: live.kind, metadata: { name, namespace, uid } }
}
