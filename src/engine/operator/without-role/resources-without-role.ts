import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { LabelSelector } from '../../../core/kube/label-selector.ts'
import { formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import { type FormerEntries, HAS_FINALIZE, type Ledger, OWN_STATUS } from '../../reconcile/ownership/ledger.ts'
import { FINALIZER } from '../../reconcile/ownership/ownership.ts'
import type { FoundResource, WatchEntry } from '../../reconcile/reconciler-ports.ts'
import type { Role } from '../../role/role.ts'
import type { Shard } from '../../runtime/leadership.ts'
import { isServed } from '../watching/unserved-kinds.ts'
import {
  isInside,
  isSelected,
  type SourcesByKind,
  WatchedInformers,
  type WatchedInformersOptions,
  type WatchSource,
} from '../watching/watched-informers.ts'

export interface ResourcesWithoutRoleOptions extends WatchedInformersOptions {
  readonly ledger: Pick<Ledger, 'keepEntries'>
  readonly shard: Pick<Shard, 'index' | 'owns'>
  /** Whether their objects are removed instead of kept. Defaults to false. */
  readonly allowTeardown?: boolean | undefined
  /** Called with the reason for which the objects of some resources are kept. */
  readonly onTeardownRefused?: ((reason: string) => void) | undefined
  /** Called for resources that are being deleted and wait for our finalizer, and for no others. */
  readonly onEvent: WatchedInformersOptions['onEvent']
}

/** Where the resources of a kind are watched now, and where former entries watched them. */
export interface Reach {
  readonly sources: readonly WatchSource[]
  readonly former: readonly WatchSource[]
}

/**
 * Resources that have lost their role because the entries have changed. Their objects stay as they are unless a teardown is allowed.
 * The ledger remembers the former entries.
 *
 * The resources are still watched, for one reason: when one is deleted, the deletion must not wait for our finalizer.
 */
export class ResourcesWithoutRole {
  readonly #options: ResourcesWithoutRoleOptions
  readonly #watched: WatchedInformers
  /** By uid. Only what is needed to find the resource is kept. */
  readonly #lost = new Map<string | undefined, KubeObject>()
  /** Uids of the unselected resources that were judged. */
  readonly #known = new Set<string | undefined>()
  #sources: readonly WatchSource[] = []

  constructor(options: ResourcesWithoutRoleOptions) {
    this.#options = options
    const onEvent: typeof options.onEvent = (source, event) => {
      if (this.#hasLostRole(event.object) && awaitsFinalizer(event.object)) options.onEvent(source, event)
    }
    this.#watched = new WatchedInformers({ ...options, onEvent })
  }

  /**
   * The unselected resources that need a run, each once: those that are torn down, because they left by themselves or a teardown is
   * allowed, and those that have lost their role from now on, because their status must say so.
   */
  sift(unselected: readonly KubeObject[], { sources, former }: Reach): readonly KubeObject[] {
    const { kind, allowTeardown = false } = this.#options
    const news = unselected.filter(({ metadata: { uid } }) => !this.#known.has(uid))
    for (const { metadata } of news) this.#known.add(metadata.uid)
    const lost = allowTeardown ? [] : news.filter((resource) => hasLostRole(resource, former))
    if (lost.length > 0) this.#add(lost, { sources, former })
    const losses = lost.flatMap((resource) => lossOf(resource, formatGroupKind(kind), sources) ?? [])
    // Each shard sees all of them, and one says so.
    if (losses.length > 0 && this.#options.shard.index === 0) this.#options.onTeardownRefused?.(teardownRefusal(losses))
    return news
  }

  /** Makes the ledger forget the former entries once no resource is kept because of them. */
  async forgetFormer(sources: readonly WatchSource[], signal: AbortSignal): Promise<void> {
    if (this.#lost.size > 0) return
    await this.#options.ledger.keepEntries(this.#options.kind, formerEntriesOf(sources), signal)
  }

  /** Distinguishes an unselected resource that has lost its role from one whose objects must be removed. */
  judge(found: FoundResource): FoundResource {
    if (found.kind !== 'unselected' || !this.#hasLostRole(found.resource) || awaitsFinalizer(found.resource))
      return found
    return { ...found, kind: 'withoutRole' }
  }

  /** How many of them, in this shard, still have no role: an entry may select one again. */
  get count(): number {
    const { shard } = this.#options
    const uids = [...this.#watched.resources()].flatMap(({ resource }) => {
      if (!shard.owns(keyOf(resource))) return []
      const isLost = this.#hasLostRole(resource) && !this.#sources.some((source) => isSelected(resource, source))
      return isLost ? [resource.metadata.uid] : []
    })
    return new Set(uids).size
  }

  stop(): void {
    this.#watched.stop()
  }

  #add(lost: readonly KubeObject[], { sources, former }: Reach): void {
    for (const { metadata, ...type } of lost) {
      const { uid, name, namespace, labels } = metadata
      this.#lost.set(uid, { ...type, metadata: { uid, name, namespace, labels } })
    }
    this.#sources = sources
    const all = [...this.#lost.values()]
    this.#watched.follow(former.flatMap((source) => narrowed(source, all)))
  }

  #hasLostRole({ metadata: { uid } }: KubeObject): boolean {
    return this.#lost.has(uid)
  }
}

/** Whether a change of the entries took its role from the resource, and the resource is not being deleted. */
export function hasLostRole(resource: KubeObject, former: readonly WatchSource[]): boolean {
  return !awaitsFinalizer(resource) && former.some((source) => isSelected(resource, source))
}

/** Whether the resource is being deleted and our finalizer still stands on it. */
function awaitsFinalizer(resource: KubeObject): boolean {
  return isTerminating(resource) && hasFinalizer(resource, FINALIZER)
}

/** The source, limited to the namespaces of these resources: the operator may have lost the right to watch others. */
function narrowed(source: WatchSource, resources: readonly KubeObject[]): readonly WatchSource[] {
  const reached = resources.filter((resource) => isSelected(resource, source))
  if (reached.length === 0) return []
  const places = new Set(reached.map(({ metadata: { namespace } }) => namespace ?? ''))
  return [{ ...source, ...(source.namespaces && { namespaces: [...places] }) }]
}

const MOST_NAMES = 3

export const NEW_SELECTORS = 'the new selectors'

/** A resource that has something of ours, and which change of `watches.yaml` takes its role away. */
export interface Loss {
  readonly resource: KubeObject
  readonly by: string
}

/** The loss of a resource under other entries of its kind; `undefined` if one of them selects it. */
export function lossOf(resource: KubeObject, kind: string, next: readonly WatchSource[]): Loss | undefined {
  if (next.some((source) => isSelected(resource, source))) return undefined
  if (next.length === 0) return { resource, by: `the removal of all entries of ${kind}` }
  return {
    resource,
    by: next.some((source) => isInside(resource, source)) ? 'the new selectors' : 'the new namespaces',
  }
}

/** Why resources that have lost their role are not torn down: how many and which they are, and what permits it. */
export function teardownRefusal(losses: readonly Loss[]): string {
  const causes = [...new Set(losses.map(({ by }) => by))].join(' and ')
  return `${causes} would tear down ${namesOf(losses)}; --allow-teardown permits that`
}

export function namesOf(losses: readonly Loss[]): string {
  const names = losses.slice(0, MOST_NAMES).map(({ resource }) => formatObject(resource))
  const more = losses.length > MOST_NAMES ? ', …' : ''
  return `${losses.length} existing resources (${names.join(', ')}${more})`
}

interface TeardownTools {
  watchedOf(kind: string): WatchedInformers | undefined
  /** Whether the caches have children of the resource with this uid. */
  hasChildren(uid: string): boolean
}

/** Why a project is refused because it would tear down what exists; `undefined` if it may be used. */
export function refusalToTearDown(
  present: SourcesByKind,
  next: SourcesByKind,
  { watchedOf, hasChildren }: TeardownTools,
): string | undefined {
  const hasOurs = (resource: KubeObject): boolean =>
    hasFinalizer(resource, FINALIZER) || hasChildren(resource.metadata.uid ?? '')
  const losses = [...present.keys()].flatMap((kind) => {
    const watched = [...(watchedOf(kind)?.resources() ?? [])].filter(({ resource, source }) =>
      isSelected(resource, source),
    )
    const lost = watched.flatMap(({ resource }) => lossOf(resource, kind, next.get(kind) ?? []) ?? [])
    // Removing an entry of resources that have nothing of ours tears nothing down. New selectors are refused even so, since they affect more than one expects.
    return lost.filter(({ resource, by }) => by === NEW_SELECTORS || hasOurs(resource))
  })
  return losses.length === 0 ? undefined : teardownRefusal(losses)
}

const EVERYTHING: LabelSelector = {}
const ANY = '*'

/** What the ledger remembers of watch entries, so that resources that lose them can be cleaned up. */
export function formerEntriesOf(sources: readonly WatchSource[]): FormerEntries {
  const hasFinalize = sources.some(({ entry }) => entry.role.finalize !== undefined)
  const ownStatus = sources.some(({ entry }) => !entry.manageStatus)
  return {
    versions: unique(sources.map(({ entry }) => entry.gvk.version)),
    selectors: sources.map(({ selector = EVERYTHING }) => selector),
    namespaces: unique(sources.flatMap(({ namespaces = [ANY] }) => namespaces)),
    write: unique(sources.flatMap(({ entry }) => entry.allowedNamespaces.write ?? [])),
    traits: [...(hasFinalize ? [HAS_FINALIZE] : []), ...(ownStatus ? [OWN_STATUS] : [])],
  }
}

/**
 * Watch entries without a role that stand for those that the ledger remembers. Each looks in all namespaces of all of them, so that in doubt
 * a resource counts as selected and is kept. `places` are the namespaces if an earlier version did not record them.
 */
export function formerSources(
  gvk: Gvk,
  { selectors, namespaces, write, traits }: FormerEntries,
  places: readonly string[] | undefined,
): readonly WatchSource[] {
  const common = {
    entry: formerEntry(gvk, { write, traits }),
    namespaces: namespaces.length === 0 ? places : everywhereOr(namespaces),
    maxConcurrent: 1,
    watchDependentResources: false,
  }
  const known = selectors.length === 0 ? [EVERYTHING] : selectors
  return known.map((selector) => ({ ...common, selector }))
}

/** The version for such entries: the newest that they had and that is served, else the one that the server prefers. */
export async function formerGvk(
  kind: GroupKind,
  versions: readonly string[],
  mapper: Pick<ResourceMapper, 'mappingFor' | 'preferred'>,
): Promise<Gvk | undefined> {
  for (const version of versions.toReversed()) {
    const gvk = { ...kind, version }
    if (await isServed(mapper, gvk)) return gvk
  }
  return mapper.preferred(kind)
}

function formerEntry(gvk: Gvk, { write, traits }: Pick<FormerEntries, 'write' | 'traits'>): WatchEntry {
  const finalize = traits.includes(HAS_FINALIZE) ? [] : undefined
  const role: Role = { ...NOTHING, watch: gvk, ...(finalize && { finalize }) }
  return {
    gvk,
    role,
    hash: role.hash,
    reconcilePeriod: 0,
    allowedNamespaces: { write },
    // The first one allows what an entry without this setting allows.
    allowedToKind: [{}, { write }],
    manageStatus: !traits.includes(OWN_STATUS),
    deletion: { propagation: 'background' },
  }
}

const NOTHING: Omit<Role, 'watch'> = {
  name: 'none',
  hash: 'none',
  vars: [],
  tasks: [],
  permissions: [],
  reads: [],
  annotationsRead: [],
}

function everywhereOr(namespaces: readonly string[]): readonly string[] | undefined {
  return namespaces.includes(ANY) ? undefined : namespaces
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
