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
