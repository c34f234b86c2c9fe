import { explain } from '../../../core/base/coded-error.ts'
import { orAborted } from '../../../core/base/or-aborted.ts'
import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import { hasFinalizer } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type GroupKind, type Gvk, parseGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { EngineOptions, RoleReconcilerOptions } from '../../reconcile/engine-options.ts'
import { LEDGER_NAME, type Ledger, type WrittenKind, writtenKinds } from '../../reconcile/ownership/ledger.ts'
import { FINALIZER, OWNER_UID_LABEL } from '../../reconcile/ownership/ownership.ts'
import { ownKindsOf, uniqueKinds } from '../../reconcile/prune/managed-objects.ts'
import type { ObjectCaches } from '../../reconcile/reconciler-ports.ts'
import { listLive } from '../../runtime/list-all.ts'
import { isSelected, namespacesOf, type SourcesByKind, type WatchSource } from '../watching/watched-informers.ts'
import {
  formerEntriesOf,
  formerGvk,
  formerSources,
  hasLostRole,
  type Loss,
  lossOf,
  type Reach,
  type ResourcesWithoutRole,
} from './resources-without-role.ts'

export interface UnselectedSearchOptions
  extends Pick<RoleReconcilerOptions, 'client' | 'mapper' | 'ledger' | 'clock' | 'logger'> {
  readonly kind: GroupKind
  readonly caches: Pick<ObjectCaches, 'children'>
  readonly withoutRole: ResourcesWithoutRole
  /** Namespaces of entries that name none. Absent: all. */
  readonly watchNamespaces?: readonly string[] | undefined
  /** Whether a resource belongs to the shard of this search. Others are left to the searches of theirs. */
  isMine(resource: KubeObject): boolean
  /** The present entries, as they are watched. */
  sources(): readonly WatchSource[]
  /** Former entries as they must be watched: without namespaces if the kind is cluster-scoped. */
  placed(former: readonly WatchSource[], signal: AbortSignal): Promise<readonly WatchSource[]>
  /** Called with the former entries when there are unselected resources. */
  onFormer(former: readonly WatchSource[]): void
  /** Called once for each of them. */
  onUnselected(resource: KubeObject): void
  /** Resolves when nothing is ready or running. */
  idle(): Promise<void>
}

const RETRY = 30_000
/** The pause while a right is missing. The right may be granted later. */
const FORBIDDEN_RETRY = 600_000
/** A kind that is not served may be served soon: its CRD is being replaced, or the server has just started. */
const UNSERVED_RETRY = 60_000
/** How often nothing must be found until that is believed: a list may be empty by mistake, and what is forgotten is never looked for again. */
const EMPTY_LOOKS = 2
/** The pause after which the search is repeated, so that several resources that end together cost one search. */
const GATHER = 1_000

/**
 * Looks for unselected resources and has them reconciled. If the kind has no entry, it was removed from `watches.yaml`: it is served
 * until none of its resources has our finalizer or children, and then the ledger forgets it.
 */
export class UnselectedSearch {
  readonly #options: UnselectedSearchOptions
  #ended = Promise.withResolvers<void>()
  #refusals = 0

  constructor(options: UnselectedSearchOptions) {
    this.#options = options
  }

  /** Notes that a resource has been cleaned up. */
  ended(): void {
    this.#ended.resolve()
  }

  /** Searches until it has succeeded, since nothing else would find these resources. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, kind } = this.#options
    while (!signal.aborted) {
      let pause = RETRY
      try {
        const forbidden = await this.#look(signal)
        if (!forbidden) return
        this.#refusals++
        if (this.#refusals === 2) this.#warnForbidden(forbidden)
        if (this.#refusals > 1) pause = FORBIDDEN_RETRY
      } catch (error) {
        const fields = { kind: formatGroupKind(kind), error: explain(error) }
        logger.debug('cannot look for resources that have lost their role', fields)
      }
      await clock.sleep(pause, signal)
    }
  }

  /** Records new entries in the ledger. If that fails, the next start does it. */
  async remember(signal: AbortSignal): Promise<void> {
    const { ledger, kind, logger, sources } = this.#options
    try {
      await ledger.record(kind, formerEntriesOf(sources()), signal)
    } catch (error) {
      logger.debug('cannot record the entries of a kind', { kind: formatGroupKind(kind), error: explain(error) })
    }
  }

  /** Searches once. Resolves to the error if the operator may not look everywhere. */
  async #look(signal: AbortSignal): Promise<Error | undefined> {
    const sources = this.#options.sources()
    if (sources.length === 0) return this.#serveRemoved(signal)
    const { ledger, kind, withoutRole } = this.#options
    await ledger.record(kind, formerEntriesOf(sources), signal)
    const gvk = sources[0]?.entry.gvk as Gvk
    const { forbidden } = await this.#bring(await this.#reach(gvk, sources, signal), signal)
    if (!forbidden) await withoutRole.forgetFormer(sources, signal)
    return forbidden
  }

  async #serveRemoved(signal: AbortSignal): Promise<Error | undefined> {
    const { ledger, kind, clock, idle } = this.#options
    for (let empty = 0; !signal.aborted; ) {
      const gvk = await this.#servedGvk(signal)
      const found = gvk && (await this.#bring(await this.#reach(gvk, [], signal), signal))
      if (found?.forbidden) return found.forbidden
      empty = found?.mine === 0 ? empty + 1 : 0
      if (!found || empty === EMPTY_LOOKS) {
        // The search that ends last sees that nothing is left of any shard.
        if (!found || found.count === 0) await ledger.forget(kind, signal)
        return undefined
      }
      if (empty === 0) await orAborted(this.#ended.promise, signal)
      this.#ended = Promise.withResolvers()
      await clock.sleep(GATHER, signal)
      await idle()
    }
    return undefined
  }

  /** The served version of the kind; `undefined` if it is certain that the kind is not served any more. */
  async #servedGvk(signal: AbortSignal): Promise<Gvk | undefined> {
    const { ledger, kind, mapper, clock } = this.#options
    const { versions } = await ledger.entryFor(kind, signal)
    const found = await formerGvk(kind, versions, mapper)
    if (found) return found
    await clock.sleep(UNSERVED_RETRY, signal)
    signal.throwIfAborted()
    mapper.refresh()
    return formerGvk(kind, versions, mapper)
  }

  async #reach(gvk: Gvk, sources: readonly WatchSource[], signal: AbortSignal): Promise<Reach> {
    const { ledger, kind, watchNamespaces, placed } = this.#options
    const entry = await ledger.entryFor(kind, signal)
    return { sources, former: await placed(formerSources(gvk, entry, watchNamespaces), signal) }
  }

  async #bring(reach: Reach, signal: AbortSignal): Promise<Brought> {
    const { kind, withoutRole, isMine, onFormer, onUnselected } = this.#options
    const { unselected, forbidden } = await findUnselected(kind, reach, { ...this.#options, signal })
    signal.throwIfAborted()
    if (unselected.length > 0) onFormer(reach.former)
    for (const resource of withoutRole.sift(unselected, reach)) if (isMine(resource)) onUnselected(resource)
    return { count: unselected.length, mine: unselected.filter(isMine).length, forbidden }
  }

  #warnForbidden(error: Error): void {
    const { kind, logger } = this.#options
    const name = formatGroupKind(kind)
    const remedy = `grant \`get\`, \`list\`, \`watch\` and \`patch\` of the kind there; or, when none is left, delete the key ${name} of the ConfigMap ${LEDGER_NAME}`
    const message = `cannot look for resources without a watch entry: they may not be read (${remedy})`
    logger.warn(message, { kind: name, error: explain(error) })
  }
}

/** How many unselected resources there are, how many of them are of this shard, and the error if there may be more. */
interface Brought {
  readonly count: number
  readonly mine: number
  readonly forbidden: Error | undefined
}

export interface UnselectedTools extends Pick<EngineOptions, 'client' | 'mapper'> {
  readonly ledger: Pick<Ledger, 'entryFor'>
  readonly caches: Pick<ObjectCaches, 'children'>
  readonly signal: AbortSignal
}

export interface Unselected {
  readonly unselected: readonly KubeObject[]
  /** Set when the operator may not look where only former entries looked: there may be more. */
  readonly forbidden?: Error | undefined
}

/**
 * Finds resources that no entry selects although they have our finalizer or children: either their labels or the entries have changed.
 *
 * It runs once, at start. In the namespaces of the present entries it looks only if some entry has a selector. It also looks where only
 * former entries looked.
 */
export async function findUnselected(
  kind: GroupKind,
  { sources, former }: { readonly sources: readonly WatchSource[]; readonly former: readonly WatchSource[] },
  tools: UnselectedTools,
): Promise<Unselected> {
  const kinds = await childKinds(kind, sources, tools)
  const owns = (uid: string): Promise<boolean> => isAny(kinds, async (gvk) => tools.caches.children(gvk, uid))
  const hasSelector = sources.some(({ selector }) => selector !== undefined)
  const near = hasSelector ? await unselectedIn(namespacesOf(sources), sources, { sources, tools }) : []
  const unselected = await filtered(near, ({ metadata: { uid = '' } }) => owns(uid))
  const places = placesLeft(former, sources)
  try {
    const far = places?.length === 0 ? [] : await unselectedIn(places, former, { sources, tools })
    const known = new Set(unselected.map(({ metadata: { uid } }) => uid))
    const found = await filtered(far, livingChildren(kinds, places, tools))
    return { unselected: [...unselected, ...found.filter(({ metadata: { uid } }) => !known.has(uid))] }
  } catch (error) {
    if (!(error instanceof Error && isForbidden(error))) throw error
    return { unselected, forbidden: error }
  }
}

/** The namespaces in which only former entries looked; `undefined` is all. */
function placesLeft(former: readonly WatchSource[], sources: readonly WatchSource[]): readonly string[] | undefined {
  const [before, now] = [namespacesOf(former), namespacesOf(sources)]
  if (now === undefined) return []
  return before?.filter((namespace) => !now.includes(namespace))
}

async function unselectedIn(
  namespaces: readonly string[] | undefined,
  [first]: readonly WatchSource[],
  { sources, tools: { client, signal } }: { readonly sources: readonly WatchSource[]; readonly tools: UnselectedTools },
): Promise<readonly KubeObject[]> {
  const all = first ? await listLive(client, first.entry.gvk, { namespaces, signal }) : []
  return all.filter((resource) => !sources.some((source) => isSelected(resource, source)))
}

async function filtered(
  resources: readonly KubeObject[],
  hasChildren: (resource: KubeObject) => Promise<boolean>,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = []
  for (const resource of resources) {
    if (hasFinalizer(resource, FINALIZER) || (await hasChildren(resource))) found.push(resource)
  }
  return found
}

async function childKinds(
  kind: GroupKind,
  sources: readonly WatchSource[],
  { ledger, mapper, signal }: UnselectedTools,
): Promise<readonly WrittenKind[]> {
  const present = uniqueKinds(sources.flatMap(({ entry }) => ownKindsOf(entry.role)))
  const kinds = await writtenKinds(present, (await ledger.entryFor(kind, signal)).own, mapper)
  // A kind without an entry has former children only: one that may not be read leaves it in doubt whether there are any.
  const isRemoved = sources.length === 0
  return kinds.toReversed().map((one) => (isRemoved ? { ...one, isFormer: false } : one))
}

/**
 * Asks the server whether a resource has children, because no cache watches the places that no entry watches. A resource
 * without our finalizer has no children outside of its namespace.
 */
function livingChildren(
  kinds: readonly WrittenKind[],
  places: readonly string[] | undefined,
  { client, signal }: UnselectedTools,
): (resource: KubeObject) => Promise<boolean> {
  const lists = new Map<string, Promise<readonly KubeObject[]>>()
  return ({ metadata: { uid, namespace } }) =>
    isAny(kinds, async (gvk) => {
      const place = places === undefined ? undefined : namespace
      const id = JSON.stringify([gvk, place])
      const namespaces = place === undefined ? undefined : [place]
      const list = lists.get(id) ?? listLive(client, gvk, { namespaces, labelSelector: OWNER_UID_LABEL, signal })
      lists.set(id, list)
      return (await list).filter(({ metadata: { labels } }) => labels?.[OWNER_UID_LABEL] === uid)
    })
}

/** Whether there are children of one of the kinds. A kind that is not served has none, and a former kind may be forbidden. */
async function isAny(
  kinds: readonly WrittenKind[],
  childrenOf: (gvk: WrittenKind['gvk']) => Promise<readonly KubeObject[]>,
): Promise<boolean> {
  for (const { gvk, isFormer } of kinds) {
    try {
      if ((await childrenOf(gvk)).length > 0) return true
    } catch (error) {
      if (!(isNotFound(error) || (isFormer && isForbidden(error)))) throw error
    }
  }
  return false
}

export interface LostRolesTools extends Pick<EngineOptions, 'client' | 'mapper'> {
  readonly ledger: Pick<Ledger, 'entryFor' | 'watched'>
  /** Caches of the children of these entries. */
  cachesFor(sources: readonly WatchSource[]): Pick<ObjectCaches, 'children'>
  readonly signal: AbortSignal
}

/** Finds the resources that would have no role under a project, as an operator would that starts with it now. */
export async function findLostRoles(next: SourcesByKind, tools: LostRolesTools): Promise<readonly Loss[]> {
  const { ledger, signal } = tools
  const kinds = (await ledger.watched(signal)).map(formatGroupKind)
  const losses: Loss[] = []
  for (const kind of kinds) losses.push(...(await lossesOf(kind, next.get(kind) ?? [], tools)))
  return losses
}

async function lossesOf(
  kind: string,
  sources: readonly WatchSource[],
  { client, mapper, ledger, cachesFor, signal }: LostRolesTools,
): Promise<readonly Loss[]> {
  const groupKind = parseGroupKind(kind)
  const entry = await ledger.entryFor(groupKind, signal)
  const gvk: Gvk | undefined = sources[0]?.entry.gvk ?? (await formerGvk(groupKind, entry.versions, mapper))
  if (!gvk) return []
  const { namespaced } = await mapper.mappingFor(gvk)
  const placed = (given: readonly WatchSource[]): readonly WatchSource[] =>
    namespaced ? given : given.map((source) => ({ ...source, namespaces: undefined }))
  const [present, former] = [placed(sources), placed(formerSources(gvk, entry, undefined))]
  const tools = { client, mapper, ledger, signal, caches: cachesFor(present) }
  const { unselected } = await findUnselected(groupKind, { sources: present, former }, tools)
  return unselected
    .filter((resource) => hasLostRole(resource, former))
    .flatMap((resource) => lossOf(resource, kind, present) ?? [])
}
