import type { GroupKind, Gvk } from '../../../core/kube/group-version-kind.ts'
import type { LabelSelector } from '../../../core/kube/label-selector.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import { type FormerEntries, HAS_FINALIZE, OWN_STATUS } from '../../reconcile/ownership/ledger.ts'
import type { WatchEntry } from '../../reconcile/watch-entry.ts'
import type { Role } from '../../role/role.ts'
import { isServed } from '../watching/unserved-kinds.ts'
import type { WatchSource } from '../watching/watched-informers.ts'

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
