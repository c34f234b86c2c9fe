import { isConflict, isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { isTerminating, withFinalizer, withoutFinalizer } from '../../../core/kube/finalizer.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { deletionMessage } from '../apply/apply-object.ts'
import type { ObjectCaches } from '../object-caches.ts'
import { FIELD_MANAGER, FINALIZER, type Owner } from './marks.ts'

const MAX_ATTEMPTS = 5

/** Adds and removes our finalizer, which resources need that have something out of reach of the garbage collector. */
export class ResourceFinalizer {
  readonly #client: KubeClient
  readonly #caches: ObjectCaches

  constructor({ client, caches }: { readonly client: KubeClient; readonly caches: ObjectCaches }) {
    this.#client = client
    this.#caches = caches
  }

  /** @throws TaskFailure when the resource is being deleted: nothing may be created for it any more */
  async add(owner: Owner, signal: AbortSignal): Promise<void> {
    const changed = await this.#change(owner, withFinalizer, signal)
    if (changed && !isTerminating(changed)) {
      if (changed !== owner.resource) this.#caches.wrote(changed)
      return
    }
    throw new TaskFailure('Failed', deletionMessage(owner), { retriable: true })
  }

  /** Sets annotations on a terminating resource. Returns the owner with the new version of the resource. */
  async annotate(owner: Owner, annotations: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Owner> {
    const { gvk, key, uid } = owner
    const body = { metadata: { uid, annotations } }
    const options = { fieldManager: FIELD_MANAGER, signal }
    const resource = await this.#client.patch(gvk, key, { type: 'merge', body }, options)
    this.#caches.wrote(resource)
    return { ...owner, resource }
  }

  async remove(owner: Owner, signal: AbortSignal): Promise<void> {
    const changed = await this.#change(owner, withoutFinalizer, signal)
    if (!changed) return
    const isLast = isTerminating(changed) && (changed.metadata.finalizers ?? []).length === 0
    if (isLast) this.#caches.removed(owner.gvk, owner.key, owner.uid)
    else this.#caches.wrote(changed)
  }

  /** Returns `undefined` if the resource is gone. */
  async #change(
    { gvk, key, uid, resource }: Owner,
    change: (resource: KubeObject, finalizer: string) => readonly string[],
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    let latest: KubeObject | undefined = resource
    for (let left = MAX_ATTEMPTS; latest && latest.metadata.uid === uid; left--) {
      const finalizers = change(latest, FINALIZER)
      const mayAdd = !isTerminating(latest) || change === withoutFinalizer
      if (!mayAdd || finalizers.length === (latest.metadata.finalizers ?? []).length) return latest
      const metadata = { uid, resourceVersion: latest.metadata.resourceVersion, finalizers }
      try {
        const options = { fieldManager: FIELD_MANAGER, signal }
        return await this.#client.patch(gvk, key, { type: 'merge', body: { metadata } }, options)
      } catch (error) {
        if (!(isConflict(error) && left > 1) && !isNotFound(error)) throw error
        latest = await this.#client.get(gvk, key, { signal })
      }
    }
    return undefined
  }
}
