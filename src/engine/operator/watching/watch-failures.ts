import { ApiError, isForbidden, isGone, isNotFound, isTransient } from '../../../core/kube/api-error.ts'
import type { Reader } from '../../../core/kube/client.ts'
import type { Informer } from '../../runtime/informer.ts'
import { type InformerSpec, specKey } from '../../runtime/informer-spec.ts'

type Listener = (error: ApiError) => void

/**
 * Ends the wait for the first list of a kind if there will be none for now: the kind is not served, the operator may not read it, or the
 * server does not answer. Informers themselves only keep trying.
 */
export class WatchFailures {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Wraps the reader of an informer, so that its failures are reported. */
  observe(reader: Reader): Reader {
    return {
      get: (gvk, key, options) => reader.get(gvk, key, options),
      list: async (gvk, options) => {
        try {
          return await reader.list(gvk, options)
        } catch (error) {
          // Pages that have expired are no failure: the informer lists again.
          if (!isGone(error)) this.#report({ ...options, gvk }, error)
          throw error
        }
      },
      watch: (gvk, options) => this.#watch({ ...options, gvk }, reader.watch(gvk, options)),
    }
  }

  /** Resolves when the cache of the informer is filled. Rejects if the list fails first, or has failed before. */
  async synced(informer: Informer): Promise<void> {
    if (informer.isSynced) return
    if (isLasting(informer.lastError)) throw informer.lastError
    // Each caller has its own promise. Reactions to a shared one would stay while the cache is empty, which may be for ever.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stops = [informer.onProgress(resolve), this.#listen(informer.spec, reject)]
    try {
      await promise
    } finally {
      for (const stop of stops) stop()
    }
  }

  async *#watch(spec: InformerSpec, events: ReturnType<Reader['watch']>): ReturnType<Reader['watch']> {
    try {
      yield* events
    } catch (error) {
      // A server that refuses to stream a list is no failure: the informer asks for pages then.
      if (isLasting(error)) this.#report(spec, error)
      throw error
    }
  }

  #listen(spec: InformerSpec, listener: Listener): () => void {
    const key = specKey(spec)
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
    }
  }

  #report(spec: InformerSpec, error: unknown): void {
    if (!(error instanceof ApiError)) return
    for (const listener of [...(this.#listeners.get(specKey(spec)) ?? [])]) listener(error)
  }
}

function isLasting(error: unknown): boolean {
  const isUnauthorized = error instanceof ApiError && error.httpStatus === 401
  return isUnauthorized || isForbidden(error) || isNotFound(error) || isTransient(error)
}
