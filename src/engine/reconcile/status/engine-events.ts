import { printPath } from '../../../core/base/json.ts'
import type { LogFields } from '../../../core/base/logger.ts'
import { type Condition, conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import type { Secrecy } from '../../role/secrecy/secrecy.ts'
import type { EventContent, EventRecorder } from '../../runtime/event-recorder.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { HeldFields } from '../apply/managed-fields.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { Owner } from '../ownership/ownership.ts'
import { changeKindOf, changesBetween, type Written } from '../trace/run-tracer.ts'
import { type EngineConditions, NO_ROLE } from './engine-conditions.ts'

export interface EngineEventsOptions extends Pick<EngineOptions, 'clock' | 'logger'> {
  readonly events: EventRecorder
  readonly metrics?: Pick<Metrics, 'driftCorrected' | 'childKept'> | undefined
}

/** The resource that an event is about, and what the event must not contain. */
export interface EventTarget {
  readonly owner: Owner
  /** Absent: the message contains nothing that must be hidden. */
  readonly secrecy?: Pick<Secrecy, 'redact'> | undefined
  readonly signal: AbortSignal
}

/** Up to so many changes of one kind are named one by one; of more, only the first are named. */
const MAX_SINGLE = 3
const MAX_FIELDS = 5
/** How many objects one event names. */
const MAX_NAMES = 10
/** Milliseconds in which the same event is written once. Servers keep events for as long. */
export const OCCASION_MS = 3_600_000

/** Records what the engine did for a resource as events on it. Nothing is recorded if nothing happened. */
export class EngineEvents {
  readonly #options: EngineEventsOptions

  constructor(options: EngineEventsOptions) {
    this.#options = options
  }

  /**
   * Records one event for all that a run has created, changed and removed, since each event is a request. What a person may have to
   * look at (drift, adoption, shared fields) gets events of its own.
   */
  recordChanges(changes: readonly ObjectChange[], target: EventTarget): void {
    const shown = changes.filter(({ kind, fields }) => fields.length > 0 || !['changed', 'corrected'].includes(kind))
    for (const change of changes)
      if (change.kind === 'corrected') this.#options.metrics?.driftCorrected(formatGroupKind(change.gvk))
    const byKind = Map.groupBy(shown, (change) => change.kind)
    const routine = ROUTINE.filter((kind) => byKind.has(kind))
    const [first, ...more] = routine
    const message = routine.flatMap((kind) => messagesOf(kind, byKind.get(kind) ?? [])).join('; ')
    if (first) this.#record({ type: 'Normal', reason: REASONS[more.length === 0 ? first : 'changed'], message }, target)
    for (const [kind, some] of byKind) {
      if (ROUTINE.includes(kind)) continue
      const type = kind === 'kept' ? 'Warning' : 'Normal'
      for (const text of messagesOf(kind, some)) this.#record({ type, reason: REASONS[kind], message: text }, target)
    }
  }

  /** Records what is new in the conditions. `former` is the condition that was last reported. Defaults to the one in the status. */
  recordConditions(conditions: EngineConditions, former: Condition | undefined, target: EventTarget): void {
    const content = contentOf(conditions)
    if (!content) return
    const known = former ?? findCondition(conditionsOf(target.owner.resource), 'Ready')
    if (known && newsOf(known) === newsOf(conditions.Ready)) return
    this.#record(content, target)
  }

  /** Records that objects are kept because nothing shows that they may be deleted with their resource. */
  recordKept(objects: readonly KubeObject[], target: EventTarget): void {
    const all = objects.map(formatObject).join(', ')
    const fields = { objects: target.secrecy?.redact(all) ?? all }
    this.#warn('objects are kept: their resource may have been deleted with --cascade=orphan', target, fields)
    for (const object of objects) this.#options.metrics?.childKept(formatGroupKind(gvkOf(object)))
    const names = objects.slice(0, MAX_NAMES).map(formatObject).join(', ')
    const rest = objects.length > MAX_NAMES ? ` and ${objects.length - MAX_NAMES} more` : ''
    const message = `cannot delete ${names}${rest}: the operator did not see how the deletion began, and it may have been one with --cascade=orphan (delete them by hand if they are not wanted)`
    this.#record({ type: 'Warning', reason: 'ChildrenKept', message }, target)
  }

  /** Records that a Job is gone and counts as complete although its end was not seen. */
  recordPresumedComplete(job: KubeObject, target: EventTarget): void {
    const text = 'a Job is gone and counts as complete, although its end was not seen'
    this.#warn(text, target, { job: formatObject(job) })
    const message = `cannot see how ${formatObject(job)} ended: it was removed while no operator was running; it counts as complete and is not run again (change its manifest to run it again)`
    this.#record({ type: 'Warning', reason: 'JobPresumedComplete', message }, target)
  }

  /** Records that the next run of the resource is delayed, so that others get their share. */
  recordThrottled(target: EventTarget): void {
    const message =
      'cannot run yet: the runs of this resource made too many requests (the next run starts when its allowance is back)'
    this.#record({ type: 'Warning', reason: 'Throttled', message }, target)
  }

  /** Records that the `finalize` tasks of a resource without a role are not run: the role that holds them is gone. */
  recordFinalizeSkipped(target: EventTarget): void {
    const message = `cannot run the \`finalize\` tasks: ${NO_ROLE}`
    this.#record({ type: 'Warning', reason: 'FinalizeSkipped', message }, target)
  }

  #warn(message: string, { owner }: EventTarget, fields: LogFields): void {
    this.#options.logger.warn(message, { resource: formatKey(owner.key), kind: owner.gvk.kind, ...fields })
  }

  #record({ type, reason, message }: EventContent, { owner, secrecy, signal }: EventTarget): void {
    const occasion = String(Math.floor(this.#options.clock.now() / OCCASION_MS))
    const shown = secrecy ? secrecy.redact(message) : message
    this.#options.events.record(owner, { type, reason, message: shown, occasion }, signal)
  }
}

const REASONS: Readonly<Record<ObjectChange['kind'], string>> = {
  created: 'Created',
  adopted: 'Adopted',
  changed: 'Changed',
  corrected: 'DriftCorrected',
  removed: 'Removed',
  shared: 'FieldsShared',
  kept: 'FieldsKept',
}

/** What every run may do, in the order in which an event lists it. */
const ROUTINE: readonly ObjectChange['kind'][] = ['created', 'changed', 'removed']

function messagesOf(kind: ObjectChange['kind'], changes: readonly ObjectChange[]): readonly string[] {
  if (changes.length > MAX_SINGLE) return [messageOfMany(kind, changes)]
  if (kind !== 'created' && kind !== 'removed') return changes.map(messageOf)
  return [`${kind} ${changes.map(({ gvk, key }) => `${gvk.kind} ${formatKey(key)}`).join(', ')}`]
}

function messageOf({ kind, gvk, key, fields, managers = [] }: ObjectChange): string {
  const name = `${gvk.kind} ${formatKey(key)}`
  const what = `${fewOf(fields)} of ${name}`
  switch (kind) {
    case 'created':
    case 'removed':
      return `${kind} ${name}`
    case 'adopted':
      return `adopted ${name}${takenFrom(managers)}${fields.length > 0 ? `, and changed ${fewOf(fields)}` : ''}`
    case 'changed':
      return `changed ${what}`
    case 'corrected':
      return `put back ${what}, which another client had changed`
    case 'shared':
      return `others hold fields of ${name} as well: ${holdersOf(managers)}; such a field stays when the role drops it (name the manager in \`adopt.from\` to take its fields over)`
    case 'kept':
      return `cannot remove fields of ${name} that the role no longer sets: ${holdersOf(managers)} (name the manager in \`adopt.from\`, or remove the fields by hand)`
  }
}

function takenFrom(managers: readonly Holder[]): string {
  return managers.length === 0 ? '' : ` with the fields of ${fewOf(managers.map(({ name }) => `"${name}"`))}`
}

/** `"kubectl-edit" has data.a, data.b; "helm" has data.c`. */
function holdersOf(managers: readonly Holder[]): string {
  const holders = managers.slice(0, MAX_SINGLE).map(({ name, fields }) => `"${name}" has ${fewOf(fields)}`)
  return holders.join('; ')
}

function fewOf(names: readonly string[]): string {
  const rest = names.length > MAX_FIELDS ? ` and ${names.length - MAX_FIELDS} more` : ''
  return `${names.slice(0, MAX_FIELDS).join(', ')}${rest}`
}

const OF_MANY: Readonly<Record<ObjectChange['kind'], string>> = {
  created: 'created',
  adopted: 'adopted',
  changed: 'changed',
  corrected: 'put back what another client had changed of',
  removed: 'removed',
  shared: 'others hold fields as well of',
  kept: 'cannot remove fields that the role no longer sets, since others hold them, of',
}

function messageOfMany(kind: ObjectChange['kind'], changes: readonly ObjectChange[]): string {
  const names = changes.slice(0, MAX_SINGLE).map(({ gvk, key }) => `${gvk.kind} ${formatKey(key)}`)
  return `${OF_MANY[kind]} ${changes.length} objects: ${names.join(', ')}, …`
}

/** The event for a resource that is not ready; `undefined` for what passes by itself or was asked for. */
function contentOf({ Ready, Reconciling, Stalled }: EngineConditions): EventContent | undefined {
  const { reason = '', message = '' } = Ready
  if (Stalled) return { type: 'Warning', reason: Stalled.reason ?? reason, message }
  if (reason === 'Waiting') return { type: 'Normal', reason, message }
  const isQuiet = Ready.status === 'True' || ['Paused', 'Deleting'].includes(reason)
  const isOnItsWay = reason === 'NotReady' && Reconciling !== undefined
  return isQuiet || isOnItsWay ? undefined : { type: 'Warning', reason, message }
}

/** Equal while there is nothing new. The message of a task that still waits may change, so only its name counts. */
function newsOf({ status, reason, message = '' }: Condition): string {
  const text = reason === 'Waiting' ? (/^task "[^"]*"/.exec(message)?.[0] ?? message) : message
  return [status, reason, text].join('\0')
}

/** What a run did to an object, for the events that report it. */
export interface ObjectChange {
  /**
   * `adopted`: it was there, and not ours. `corrected`: others had changed what the role says. `shared`: others hold fields of an
   * adopted object as well. `kept`: others hold fields that the role has dropped.
   */
  readonly kind: 'created' | 'adopted' | 'changed' | 'corrected' | 'removed' | 'shared' | 'kept'
  readonly gvk: Gvk
  readonly key: ObjectKey
  /** Names of the fields, never their values. */
  readonly fields: readonly string[]
  /** Where the task stands in the role that did it. Absent: it was no task. */
  readonly place?: string | undefined
  /** Other managers: whose fields were taken over, without fields, or who holds which. Defaults to none. */
  readonly managers?: readonly Holder[] | undefined
}

export interface Holder {
  readonly name: string
  readonly fields: readonly string[]
}

export function changesOf(written: Written): readonly ObjectChange[] {
  const { before, after, lost = [], adoption, kept = [] } = written
  const object = { gvk: gvkOf(after), key: keyOf(after) }
  if (!before) return [{ ...object, kind: 'created', fields: [] }]
  const kind = changeKindOf(written)
  const fields = kind === 'corrected' ? lost.map(printPath) : changesBetween(before, after).map(({ field }) => field)
  const { taken = [], shared = [] } = adoption ?? {}
  const managers = taken.map((name) => ({ name, fields: [] }))
  return [
    { ...object, kind, fields, ...(managers.length > 0 && { managers }) },
    ...(shared.length > 0 ? [{ ...object, kind: 'shared', fields: [], managers: shared.map(holderOf) } as const] : []),
    ...(kept.length > 0 ? [{ ...object, kind: 'kept', fields: [], managers: kept.map(holderOf) } as const] : []),
  ]
}

function holderOf({ manager, paths }: HeldFields): Holder {
  return { name: manager, fields: paths.map(printPath) }
}

export function removalOf(object: KubeObject): ObjectChange {
  return { kind: 'removed', gvk: gvkOf(object), key: keyOf(object), fields: [] }
}
