import { evictOldest } from '../../../core/base/evict-oldest.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { EnsurePolicy } from '../../role/run/run-context.ts'
import type { RoleReconcilerOptions } from '../engine-options.ts'
import type { Owner } from '../ownership/ownership.ts'
import type { Written } from '../trace/run-tracer.ts'
import type { CompletedJobs, SeenJobs } from './completed-jobs.ts'
import type { DriftFights } from './drift-fights.ts'

export interface ApplyTools extends Pick<RoleReconcilerOptions, 'client' | 'caches'> {
  readonly fights: DriftFights
  /** Absent: a Job that is gone is created again. */
  readonly jobs?: CompletedJobs | undefined
  readonly seenJobs?: SeenJobs | undefined
}

export interface ApplyRequest extends EnsurePolicy {
  /** The object with our marks. */
  readonly desired: KubeObject
  readonly mapping: ResourceMapping
  readonly owner: Owner
  readonly installation: string
  /**
   * The live object from which the wanted one was computed. The write succeeds only if the server still has this version, or still has no
   * such object. Absent: the wanted object does not depend on the live one.
   */
  readonly seen?: { readonly object: KubeObject | undefined } | undefined
  /** Managers whose fields were taken over just now. Defaults to none. */
  readonly taken?: readonly string[] | undefined
  /** Called before anything is sent that changes the server, perhaps more than once. */
  beforeWrite(): Promise<void>
  /** Called with what was written. */
  tell?(written: Written): void
  readonly signal: AbortSignal
}

/**
 * What the annotation `rolebook.dev/applied` of an object says: it holds the hash of what an apply of ours sent.
 *
 * `current`: the hash of what the role wants now. `missing`: there is none. `outdated`: the hash of something else, which
 * our last apply known to this process did not send either. `rewritten`: the hash of something else, as the server answered
 * when we sent the wanted one. `overtaken`: the hash of something else, although we sent the wanted one and it was stored.
 */
export type MarkState = 'current' | 'missing' | 'outdated' | 'rewritten' | 'overtaken'

/**
 * What `managedFields` say of the fields that the role wants. `ours`: our entry has all of them. `rewritten`: it lacks some,
 * and is the entry that our last apply left behind. `lost`: it lacks some, and did not before.
 */
export type FieldState = 'ours' | 'rewritten' | 'lost'

/** `change`: the role wants something else than before. `correct`: others have changed what the role wants. */
export type WriteDecision = 'leave' | 'change' | 'correct'

/** Write or not. Each line is a case that happens in clusters. */
export const WRITE_DECISIONS: Readonly<Record<MarkState, Readonly<Record<FieldState, WriteDecision>>>> = {
  current: {
    // The object is at rest.
    ours: 'leave',
    // An admission webhook sets one of our fields to another value whenever we write. The next write would end the same.
    rewritten: 'leave',
    // A person or another controller has changed or removed a field: the drift is put right.
    lost: 'correct',
  },
  missing: {
    // The annotation is one of our fields, so this does not happen. A write would make nothing better.
    ours: 'leave',
    // An admission webhook removes our annotation whenever we write.
    rewritten: 'leave',
    // Another client has removed the annotation, or an object is adopted that has never had it.
    lost: 'correct',
  },
  outdated: {
    // The resource or the role was edited, or the operator was restarted with another version of the role.
    ours: 'change',
    rewritten: 'change',
    // The same, and others have changed the object as well: one write does both.
    lost: 'change',
  },
  rewritten: {
    // An admission webhook changes annotations, ours among them.
    ours: 'leave',
    // It changes other fields, too.
    rewritten: 'leave',
    // Besides the webhook, another client has changed a field.
    lost: 'correct',
  },
  overtaken: {
    // A write whose answer was lost reached the server after a later one: an edit that was taken back at once.
    ours: 'change',
    rewritten: 'change',
    // The same. What that write has set is not what the role wants.
    lost: 'correct',
  },
}

/** What this process remembers of its last apply of the object. */
export interface LastApply {
  /** The mark that was sent. */
  readonly applied: string | undefined
  /** The mark that the object had in the answer. */
  readonly answered?: string | undefined
}

/** @param wanted the mark of what the role wants, `live` that of the object as it is */
export function markStateOf(
  wanted: string | undefined,
  live: string | undefined,
  last: LastApply | undefined,
): MarkState {
  if (live === wanted) return 'current'
  if (live === undefined) return 'missing'
  if (last?.applied !== wanted) return 'outdated'
  return live === last?.answered ? 'rewritten' : 'overtaken'
}

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
const MOST_MEMORIES = 100_000

/**
 * What is remembered of applied objects, by the uid of their owner and the id of the object. An object that is created anew replaces the
 * former one. Forgetting an object costs at most one write.
 */
export class ApplyMemories {
  readonly #onForget: (uid: string) => void
  readonly #owners = new Map<string, Map<string, ApplyMemory>>()
  readonly #inherited = new Map<string, boolean>()

  /** `onForget` is called with the uid of each object that is forgotten. */
  constructor(onForget: (uid: string) => void) {
    this.#onForget = onForget
  }

  get(owner: string, id: string, uid: string): ApplyMemory | undefined {
    const memory = this.#owners.get(owner)?.get(id)
    return memory?.uid === uid ? memory : undefined
  }

  /** Whether an object of that name was applied, with any uid, and we have not removed it since. */
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
    this.#inherited.delete(owner)
  }

  /** Notes, when a resource is met first, whether another process had reconciled it before. Later calls change nothing. */
  meet(owner: string, isInherited: boolean): void {
    if (this.#inherited.has(owner)) return
    evictOldest({ capacity: MOST_MEMORIES, known: this.#inherited }, (oldest) => this.#inherited.delete(oldest))
    this.#inherited.set(owner, isInherited)
  }

  /** Whether another process had reconciled the resource before this one met it. */
  isInherited(owner: string): boolean {
    return this.#inherited.get(owner) === true
  }

  #newOwner(owner: string): Map<string, ApplyMemory> {
    evictOldest({ capacity: MOST_MEMORIES, known: this.#owners }, (oldest) => this.forgetOwner(oldest))
    const objects = new Map<string, ApplyMemory>()
    this.#owners.set(owner, objects)
    return objects
  }
}
