import { explain } from '../../core/base/coded-error.ts'
import type { Reader } from '../../core/kube/client.ts'
import { Informer, type InformerOptions } from './informer.ts'
import { type InformerSpec, specKey } from './informer-spec.ts'
import type { OwnWrites } from './own-writes.ts'

export interface InformerPoolOptions extends Omit<InformerOptions, 'client'> {
  /** Called for each informer, since a reader may have a state for its informer. */
  readonly newReader: () => Reader
  /** Forgets writes that the informers have seen. */
  readonly ownWrites: OwnWrites
}

interface Shared {
  readonly informer: Informer
  readonly holders: Set<string>
  readonly stop: AbortController
  readonly stopped: Promise<void>
  readonly detach: () => void
}

/** Shares one informer between all holders of the same spec. It is started for the first one and stopped after the last. */
export class InformerPool {
  readonly #options: InformerPoolOptions
  readonly #shared = new Map<string, Shared>()
  readonly #stopping = new Set<Promise<void>>()

  constructor(options: InformerPoolOptions) {
    this.#options = options
  }

  /** The informer of `spec`, held until `holder` releases it. A holder may acquire the same informer several times. */
  acquire(spec: InformerSpec, holder: string): Informer {
    const key = specKey(spec)
    let shared = this.#shared.get(key)
    if (!shared) {
      shared = this.#start(spec)
      this.#shared.set(key, shared)
    }
    shared.holders.add(holder)
    return shared.informer
  }

  release(spec: InformerSpec, holder: string): void {
    this.#drop(specKey(spec), holder)
  }

  releaseAll(holder: string): void {
    for (const key of [...this.#shared.keys()]) this.#drop(key, holder)
  }

  *informers(): IterableIterator<Informer> {
    for (const { informer } of this.#shared.values()) yield informer
  }

  /** Stops all informers, even if they are held. Resolves when they have stopped. */
  async stop(): Promise<void> {
    for (const [key, shared] of [...this.#shared]) this.#stop(key, shared)
    await Promise.all(this.#stopping)
  }

  #start(spec: InformerSpec): Shared {
    const { ownWrites, logger, newReader } = this.#options
    const informer = new Informer(spec, { ...this.#options, client: newReader() })
    const stop = new AbortController()
    const detach = ownWrites.attach(informer)
    const stopped = informer.start(stop.signal).catch((error: unknown) => {
      logger.error('an informer ended unexpectedly', { informer: informer.name, error: explain(error) })
    })
    return { informer, holders: new Set(), stop, stopped, detach }
  }

  #drop(key: string, holder: string): void {
    const shared = this.#shared.get(key)
    if (shared?.holders.delete(holder) && shared.holders.size === 0) this.#stop(key, shared)
  }

  #stop(key: string, shared: Shared): void {
    this.#shared.delete(key)
    shared.detach()
    shared.stop.abort(new Error('the informer is not needed any more'))
    this.#stopping.add(shared.stopped)
    void shared.stopped.then(() => this.#stopping.delete(shared.stopped))
  }
}
