import { ApiError, isForbidden, isNotFound, isTransient } from '../kube/api-error.ts'
import type { Reader } from '../kube/client.ts'
import { formatGvk, type Gvk } from '../kube/group-version-kind.ts'
import type { Informer } from '../runtime/informer.ts'

type Listener = (error: ApiError) => void

/**
 * Tells those who wait for the first list of a kind that there will be none for now: the kind is not served, must not be
 * read, or the server does not answer. Informers themselves only try again, for ever.
 */
export class WatchFailures {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** A reader whose failures are told. Informers are to use it. */
  observe(reader: Reader): Reader {
    return {
      get: (gvk, key, options) => reader.get(gvk, key, options),
      list: async (gvk, options) => {
        try {
          return await reader.list(gvk, options)
        } catch (error) {
          this.#tell(gvk, error)
          throw error
        }
      },
      watch: (gvk, options) => this.#watch(gvk, reader.watch(gvk, options)),
    }
  }

  /** Resolves when the informer's cache is filled; rejects when its kind fails first, or has failed before. */
  async synced(informer: Informer): Promise<void> {
    if (informer.isSynced) return
    if (informer.lastError) throw informer.lastError
    let stop = (): void => undefined
    const failure = new Promise<never>((_resolve, reject) => {
      stop = this.#listen(informer.spec.gvk, reject)
    })
    try {
      await Promise.race([informer.synced, failure])
    } finally {
      stop()
    }
  }

  async *#watch(gvk: Gvk, events: ReturnType<Reader['watch']>): ReturnType<Reader['watch']> {
    try {
      yield* events
    } catch (error) {
      this.#tell(gvk, error)
      throw error
    }
  }

  #listen(gvk: Gvk, listener: Listener): () => void {
    const listeners = this.#listeners.get(formatGvk(gvk)) ?? new Set()
    this.#listeners.set(formatGvk(gvk), listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** A server may refuse one way of listing, and the informer knows another: that is no failure. */
  #tell(gvk: Gvk, error: unknown): void {
    if (!(error instanceof ApiError) || !isLasting(error)) return
    for (const listener of [...(this.#listeners.get(formatGvk(gvk)) ?? [])]) listener(error)
  }
}

function isLasting(error: ApiError): boolean {
  return error.httpStatus === 401 || isForbidden(error) || isNotFound(error) || isTransient(error)
}
