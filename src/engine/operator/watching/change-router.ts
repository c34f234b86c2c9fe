import type { Clock } from '../../../core/base/clock.ts'
import { jsonEquals } from '../../../core/base/json.ts'
import { jsonChanges } from '../../../core/base/json-changes.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type GroupKind } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, type LabelSelector, type Labels } from '../../../core/kube/label-selector.ts'
import { formatKey, formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { isJob } from '../../reconcile/apply/completed-jobs.ts'
import type { SeenChanges } from '../../reconcile/engine-options.ts'
import { OWNER_UID_LABEL } from '../../reconcile/ownership/ownership.ts'
import type { ObjectCaches, Subscription, Subscriptions, WatchEntry } from '../../reconcile/reconciler-ports.ts'
import { contentOf } from '../../reconcile/run/run-inputs.ts'
import type { Trigger } from '../../reconcile/trace/run-trace.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import type { Informer } from '../../runtime/informer.ts'
import type { Priority } from '../../runtime/priority.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'
import { type InformerCaches, ownerUidsOf } from './informer-caches.ts'
import type { WatchedInformers, WatchSource } from './watched-informers.ts'

interface Row {
  readonly id: string
  readonly request: Request
  /** The subscription as it was last added, or as it is kept if it was not added since. */
  subscription: Subscription
  /** Whether it was added since it was last kept. */
  isNew: boolean
  readonly matches: (labels: Labels | undefined) => boolean
  /** Its place in the index. */
  readonly place: string
}

/**
 * Which requests a change of an object triggers.
 *
 * Lists are indexed by one of the labels that they select, the one with the fewest other lists. So if ten thousand resources each list their
 * own Pods, an event of a Pod costs one look-up and not ten thousand comparisons.
 */
export class SubscriptionTable implements Subscriptions {
  readonly #places = new Map<string, Map<string, Row>>()
  readonly #rows = new Map<string, Map<string, Row>>()

  add(request: Request, subscription: Subscription): void {
    const requester = requestKey(request)
    const rows = this.#rows.get(requester) ?? new Map<string, Row>()
    const id = idOf(subscription)
    const known = rows.get(id)
    if (known) {
      known.subscription = subscription
      known.isNew = true
      return
    }
    const matches = compileLabelSelector(subscription.kind === 'list' ? subscription.selector : {})
    const place = this.#placeFor(subscription)
    const row: Row = { id: `${requester} ${id}`, request, subscription, isNew: true, matches, place }
    this.#rows.set(requester, rows.set(id, row))
    const beside = this.#places.get(place) ?? new Map<string, Row>()
    this.#places.set(place, beside.set(row.id, row))
  }

  keep(request: Request, subscriptions: readonly Subscription[]): void {
    const requester = requestKey(request)
    const rows = this.#rows.get(requester)
    if (!rows) return
    const kept = new Map(subscriptions.map((one) => [idOf(one), one]))
    for (const [id, row] of rows) {
      const subscription = kept.get(id)
      if (subscription) {
        if (!row.isNew) row.subscription = subscription
        row.isNew = false
        continue
      }
      rows.delete(id)
      this.#remove(row)
    }
    if (rows.size === 0) this.#rows.delete(requester)
  }

  *all(): IterableIterator<Subscription> {
    for (const rows of this.#rows.values()) for (const { subscription } of rows.values()) yield subscription
  }

  /** The requests that have read one of these forms of an object, before and after a change. */
  requestsFor(type: GroupKind, forms: readonly KubeObject[]): readonly Request[] {
    const found = new Map<string, Request>()
    for (const object of forms) {
      for (const place of placesOf(type, object)) {
        for (const row of this.#places.get(place)?.values() ?? []) {
          if (isAbout(row, object)) found.set(requestKey(row.request), row.request)
        }
      }
    }
    return [...found.values()]
  }

  #placeFor(subscription: Subscription): string {
    if (subscription.kind === 'object') return objectId(subscription.type, subscription.key)
    const type = formatGroupKind(subscription.type)
    let best = `${type} *`
    let least = Number.POSITIVE_INFINITY
    for (const [key, value] of Object.entries(subscription.selector.matchLabels ?? {})) {
      const place = `${type} ${key}=${value}`
      const size = this.#places.get(place)?.size ?? 0
      if (size < least) [best, least] = [place, size]
    }
    return best
  }

  #remove(row: Row): void {
    const place = this.#places.get(row.place)
    place?.delete(row.id)
    if (place?.size === 0) this.#places.delete(row.place)
  }
}

function placesOf(type: GroupKind, object: KubeObject): readonly string[] {
  const name = formatGroupKind(type)
  const labels = Object.entries(object.metadata.labels ?? {}).map(([key, value]) => `${name} ${key}=${value}`)
  return [`${name} ${formatKey(keyOf(object))}`, `${name} *`, ...labels]
}

function isAbout({ subscription, matches }: Row, object: KubeObject): boolean {
  if (subscription.kind === 'object') return formatKey(subscription.key) === formatKey(keyOf(object))
  const { namespaces } = subscription
  const isInside = namespaces === undefined || namespaces.includes(keyOf(object).namespace)
  return isInside && matches(object.metadata.labels)
}

function idOf(subscription: Subscription): string {
  if (subscription.kind === 'object') return objectId(subscription.type, subscription.key)
  const type = formatGroupKind(subscription.type)
  return `${type} ${subscription.namespaces?.join() ?? '*'} ${printSelector(subscription.selector)}`
}

function printSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  return JSON.stringify([Object.entries(matchLabels).sort(), matchExpressions])
}

export interface ForeignWatchesOptions {
  readonly subscriptions: SubscriptionTable
  readonly caches: Pick<InformerCaches, 'watchesForeign' | 'releaseForeign'>
  readonly clock: Clock
}

/** Milliseconds for which an unused watch stays, so that a name that is taken again and again costs one watch. */
const GRACE = 10_000

/**
 * Subscriptions that also release watches of foreign objects once they are unused. There may be as many as namespaces in which the name of a
 * child was taken.
 */
export class ForeignWatches implements Subscriptions {
  readonly #options: ForeignWatchesOptions
  #cancel: (() => void) | undefined

  constructor(options: ForeignWatchesOptions) {
    this.#options = options
  }

  add(request: Request, subscription: Subscription): void {
    this.#options.subscriptions.add(request, subscription)
  }

  keep(request: Request, kept: readonly Subscription[]): void {
    const { subscriptions, caches, clock } = this.#options
    subscriptions.keep(request, kept)
    if (caches.watchesForeign) this.#cancel ??= clock.schedule(GRACE, () => this.#release())
  }

  stop(): void {
    this.#cancel?.()
  }

  #release(): void {
    const { subscriptions, caches } = this.#options
    this.#cancel = undefined
    caches.releaseForeign(subscriptions.all())
  }
}

const MOST_FIELDS = 5

/** The trigger that a change of a resource is for its role; `undefined` if the change concerns no role. */
export function triggerOfResource(event: CacheEvent, annotationsRead: readonly string[] | 'all'): Trigger | undefined {
  const { resourceVersion } = event.object.metadata
  if (event.type === 'added') return event.initial ? { kind: 'started' } : { kind: 'created', resourceVersion }
  if (event.type === 'deleted' || (isTerminating(event.object) && !isTerminating(event.old))) {
    return { kind: 'deleted', resourceVersion }
  }
  const [before, after] = [event.old, event.object].map((one) => contentOf(one, annotationsRead))
  if (jsonEquals(before, after)) return undefined
  const fields = jsonChanges(before, after, MOST_FIELDS + 1)
    .map(({ field }) => field)
    .filter((field) => field !== 'metadata.generation')
  return { kind: 'edited', resourceVersion, fields: fields.slice(0, MOST_FIELDS).sort() }
}

/** The trigger that a change of an object is for the roles that read it. */
export function triggerOfObject({ type, object }: CacheEvent): Trigger {
  return {
    kind: 'changed',
    object: formatObject(object),
    how: type,
    resourceVersion: object.metadata.resourceVersion,
  }
}

/** A request that a change has triggered. */
export interface Triggered {
  readonly request: Request
  readonly trigger: Trigger
  readonly priority: Priority
}

export interface ChangeRouterOptions {
  readonly resources: WatchedInformers
  readonly subscriptions: SubscriptionTable
  readonly seen: SeenChanges
  readonly caches: Pick<ObjectCaches, 'isUnanswered'>
  /** Children of resources of other shards trigger nothing. */
  readonly shard: { owns(request: Request): boolean }
}

/** Says which requests a change in a cache triggers. */
export class ChangeRouter {
  readonly #options: ChangeRouterOptions

  constructor(options: ChangeRouterOptions) {
    this.#options = options
  }

  /** For a change of a resource. */
  ofResource({ entry }: WatchSource, event: CacheEvent): readonly Triggered[] {
    const { resources, seen } = this.#options
    seen.deletions.note(event)
    const request = resources.requestFor(event.object)
    const trigger = triggerOfResource(event, entry.role.annotationsRead) ?? this.#triggerOfStatus(event, entry)
    return trigger ? [{ request, trigger, priority: trigger.kind === 'started' ? 'backlog' : 'edit' }] : []
  }

  /** For a change of the status alone, unless we have written it. A watch may deliver our write before its answer comes. */
  #triggerOfStatus(event: CacheEvent, { manageStatus: isManaged }: WatchEntry): Trigger | undefined {
    const { resources, seen, caches } = this.#options
    const { object } = event
    if (event.type !== 'updated' || seen.ownVersions.made(object) || caches.isUnanswered(object)) return undefined
    const fields = seen.overwrites.note(resources.requestFor(object), { before: event.old, after: object, isManaged })
    if (fields.length === 0) return undefined
    return { kind: 'overwritten', resourceVersion: object.metadata.resourceVersion, fields }
  }

  /** For a change of an object that a run has read or that a resource owns. */
  ofObject({ spec }: Informer, event: CacheEvent): readonly Triggered[] {
    this.#noteJob(spec, event)
    if (event.type === 'added' && event.initial) return []
    const { resources, subscriptions } = this.#options
    const forms = event.type === 'updated' ? [event.old, event.object] : [event.object]
    const readers = subscriptions.requestsFor(spec.gvk, forms)
    const uids = spec.labelSelector === OWNER_UID_LABEL ? [...new Set(forms.flatMap(ownerUidsOf))] : []
    const owners = uids.flatMap((uid) => this.#ownedBy(uid))
    const due = owners.filter((owner) => resources.sourceOf(owner)?.watchDependentResources)
    const trigger = triggerOfObject(event)
    return [...readers, ...due].map((request) => ({ request, trigger, priority: 'child' }))
  }

  /** Of resources of this kind that are there: nothing would end the memory of others. */
  #noteJob({ labelSelector }: Informer['spec'], event: CacheEvent): void {
    if (labelSelector !== OWNER_UID_LABEL || !isJob(event.object)) return
    const isOurs = ownerUidsOf(event.object).some((uid) => this.#ownedBy(uid).length > 0)
    if (isOurs) this.#options.seen.jobs.note(event)
  }

  /** The resource of this shard with the uid, if there is one. */
  #ownedBy(uid: string): readonly Request[] {
    const { resources, shard } = this.#options
    const request = resources.requestByUid(uid)
    return request && shard.owns(request) ? [request] : []
  }
}
