import type { KubeClient } from '../../../core/kube/client.ts'

/** How many requests a resource may make at once: twice as many as the first run of a resource with the most objects. */
const MOST = 10_000
/** How many requests it gets back each second, as most clients of Kubernetes do. */
const PER_SECOND = 50

/** Limits the requests for one resource, so that a resource that is edited all the time leaves others their share. */
export class RequestAllowance {
  #left = MOST
  #since = 0

  /** Notes the requests of a run. A run is never stopped in the middle; if it made too many, the next one waits. */
  spend(requests: number, now: number): void {
    this.#left = this.#leftAt(now) - requests
    this.#since = now
  }

  /** Milliseconds until the next run may begin. */
  pause(now: number): number {
    return Math.max(0, (-this.#leftAt(now) * 1000) / PER_SECOND)
  }

  #leftAt(now: number): number {
    return Math.min(MOST, this.#left + ((now - this.#since) * PER_SECOND) / 1000)
  }
}

/** Counts the requests of each run by verb. The signal that a request carries tells whose it is. */
export class RequestCounter {
  readonly #counts = new WeakMap<AbortSignal, { [verb: string]: number }>()

  /** A client whose requests are counted. */
  counting(client: KubeClient): KubeClient {
    return {
      get: (gvk, key, options) => client.get(gvk, key, this.#counted('get', options)),
      list: (gvk, options) => client.list(gvk, this.#counted('list', options)),
      watch: (gvk, options) => client.watch(gvk, options),
      create: (object, options) => client.create(object, this.#counted('create', options)),
      apply: (object, options) => client.apply(object, this.#counted('apply', options)),
      patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, this.#counted('patch', options)),
      delete: (gvk, key, options) => client.delete(gvk, key, this.#counted('delete', options)),
    }
  }

  of(signal: AbortSignal): Readonly<Record<string, number>> {
    return { ...this.#counts.get(signal) }
  }

  /** The number of requests of all verbs. */
  count(signal: AbortSignal): number {
    return Object.values(this.of(signal)).reduce((sum, count) => sum + count, 0)
  }

  #counted<Options extends { readonly signal?: AbortSignal | undefined }>(
    verb: string,
    options: Options | undefined,
  ): Options {
    const signal = options?.signal
    if (signal) {
      const counts = this.#counts.get(signal) ?? {}
      counts[verb] = (counts[verb] ?? 0) + 1
      this.#counts.set(signal, counts)
    }
    return options as Options
  }
}
