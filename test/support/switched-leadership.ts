import type { KubeClient, SendOptions } from '../../src/core/kube/client.ts'
import type { Leadership } from '../../src/engine/runtime/leadership.ts'
import { clientWith } from './client-with.ts'

/** Leadership at the test's command. */
export class Switch implements Leadership {
  leads: boolean
  readonly #listeners = new Set<(leads: boolean) => void>()

  constructor(leads = true) {
    this.leads = leads
  }

  onChange(listener: (leads: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  turn(leads: boolean): void {
    this.leads = leads
    for (const listener of this.#listeners) listener(leads)
  }
}

/** Holds back the writes to ConfigMaps, as a process that is stopped does, and checks them late, as the transport does. */
export class Held {
  readonly client: KubeClient
  #held: (() => void)[] = []
  #isHolding = false
  #pending = 0
  #arrived = Promise.withResolvers<void>()

  constructor(client: KubeClient) {
    const pass = async <T>(options: SendOptions, send: () => Promise<T>): Promise<T> => {
      if (this.#isHolding) {
        this.#arrived.resolve()
        await new Promise<void>((resolve) => this.#held.push(resolve))
      }
      this.#pending++
      options.beforeSend?.()
      this.#pending--
      return send()
    }
    this.client = clientWith(client, {
      create: (object, options) => pass(options, () => client.create(object, options)),
      apply: (object, { signal: _signal, ...options }) => pass(options, () => client.apply(object, options)),
      patch: (gvk, key, patch, options) => pass(options, () => client.patch(gvk, key, patch, options)),
      delete: (gvk, key, options = {}) => pass(options, () => client.delete(gvk, key, options)),
    })
  }

  /** Writes that were not sent. */
  get refused(): number {
    return this.#pending
  }

  /** From now on; resolves when a write is held. */
  hold(): Promise<void> {
    this.#isHolding = true
    return this.#arrived.promise
  }

  release(): void {
    this.#isHolding = false
    for (const resolve of this.#held.splice(0)) resolve()
  }
}
