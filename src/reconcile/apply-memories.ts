import { evictOldest } from './evict-oldest.ts'

/** What the last apply of an object left behind. */
export interface ApplyMemory {
  readonly uid: string
  /** What was sent, as a hash. */
  readonly applied: string | undefined
  /** The same as the answer had it: admission may have rewritten it. */
  readonly answered?: string | undefined
  /** Hash of our entry where it does not cover what was sent, because admission rewrote a field of it. */
  readonly entry: string | undefined
  /** Stands for what was seen when all fields that we lack were found to be handed over. */
  readonly handedOver?: string | undefined
}

/** How many owners are remembered: enough for those at work, bounded for those whose going nobody told of. */
const CAPACITY = 100_000

/**
 * What is remembered of applied objects, by the uid of their owner and by the text that stands for the object: one that is
 * made anew takes the place of its former self. What is forgotten costs one write at most.
 */
export class ApplyMemories {
  readonly #onForget: (uid: string) => void
  readonly #owners = new Map<string, Map<string, ApplyMemory>>()

  /** `onForget` is told the uid of each object that is remembered no more. */
  constructor(onForget: (uid: string) => void) {
    this.#onForget = onForget
  }

  get(owner: string, id: string, uid: string): ApplyMemory | undefined {
    const memory = this.#owners.get(owner)?.get(id)
    return memory?.uid === uid ? memory : undefined
  }

  /** Whether an object of that name was applied and not removed by us since, whatever its uid. */
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
