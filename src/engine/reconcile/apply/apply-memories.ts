import { evictOldest } from '../../../core/base/evict-oldest.ts'

/** What is remembered of the last apply of an object. */
export interface ApplyMemory {
  readonly uid: string
  /** The hash of what was sent. */
  readonly applied: string | undefined
  /** The hash in the answer, which admission may have rewritten. */
  readonly answered?: string | undefined
  /** The hash of our entry in `managedFields`, if it does not cover what was sent because admission rewrote a field. */
  readonly entry: string | undefined
  /** A hash of what was seen when the uncovered fields were found to be handed over. */
  readonly handedOver?: string | undefined
}

/** How many owners are remembered. The bound exists for owners whose deletion was never seen. */
const CAPACITY = 100_000

/**
 * What is remembered of applied objects, by the uid of their owner and the id of the object. An object that is created anew replaces the
 * former one. Forgetting an object costs at most one write.
 */
export class ApplyMemories {
  readonly #onForget: (uid: string) => void
  readonly #owners = new Map<string, Map<string, ApplyMemory>>()

  /** `onForget` is called with the uid of each object that is forgotten. */
  constructor(onForget: (uid: string) => void) {
    this.#onForget = onForget
  }

  get(owner: string, id: string, uid: string): ApplyMemory | undefined {
    const memory = this.#owners.get(owner)?.get(id)
    return memory?.uid === uid ? memory : undefined
  }

  /** Whether an object of that name was applied, whatever its uid, and has not been removed by us since. */
  has(owner: string, id: string): boolean {
    return this.#owners.get(owner)?.has(id) ?? false
  }

  set(owner: string, id: string, memory: ApplyMemory): void {
    const objects = this.#owners.get(owner) ?? this.#newOwner(owner)
    const former = objects.get(id)
    if (former && former.uid !== memory.uid) this.#onForget(former.uid)
    objects.set(id, memory)
  }

  forget(owner: string, id: string): void {
    const objects = this.#owners.get(owner)
    const memory = objects?.get(id)
    if (!objects || !memory) return
    this.#onForget(memory.uid)
    objects.delete(id)
    if (objects.size === 0) this.#owners.delete(owner)
  }

  forgetOwner(owner: string): void {
    for (const { uid } of this.#owners.get(owner)?.values() ?? []) this.#onForget(uid)
    this.#owners.delete(owner)
  }

  #newOwner(owner: string): Map<string, ApplyMemory> {
    evictOldest({ capacity: CAPACITY, known: this.#owners }, (oldest) => this.forgetOwner(oldest))
    const objects = new Map<string, ApplyMemory>()
    this.#owners.set(owner, objects)
    return objects
  }
}
