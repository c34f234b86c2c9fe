import { orAborted } from '../../../core/base/or-aborted.ts'

/**
 * A value that is loaded once for all callers, and remembered.
 *
 * A caller may stop waiting. If no caller waits any more, the load is aborted. After a failed or aborted load, the next call starts a new
 * one.
 */
export class SharedLoad<T> {
  readonly #load: (signal: AbortSignal) => Promise<T>
  #loaded: { readonly value: T } | undefined
  #loading: Loading<T> | undefined

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.#load = load
  }

  /** Rejects with the signal's reason when it aborts. */
  async get(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#loaded) return this.#loaded.value
    this.#loading ??= this.#begin()
    const loading = this.#loading
    loading.waiting++
    try {
      return await orAborted(loading.value, signal)
    } finally {
      loading.waiting--
      if (loading.waiting === 0) this.#end(loading)
    }
  }

  #begin(): Loading<T> {
    const abort = new AbortController()
    const value = this.#load(abort.signal).then((loaded) => {
      this.#loaded = { value: loaded }
      return loaded
    })
    return { value, abort, waiting: 0 }
  }

  #end(loading: Loading<T>): void {
    this.#loading = undefined
    loading.abort.abort(new Error('no caller waits for it any more'))
  }
}

interface Loading<T> {
  readonly value: Promise<T>
  readonly abort: AbortController
  waiting: number
}
