import type { KubeClient } from '../../../core/kube/client.ts'
import { formatGroupKind, type Gvk, parseGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { ObjectCaches } from '../../reconcile/object-caches.ts'
import type { Ledger } from '../../reconcile/ownership/ledger.ts'
import type { SourcesByKind } from '../reload/project-reload.ts'
import type { WatchSource } from '../watching/watched-informers.ts'
import { formerGvk, formerSources } from './former-sources.ts'
import { hasLostRole } from './resources-without-role.ts'
import { type Loss, lossOf } from './teardown-refusal.ts'
import { findUnselected } from './unselected-search.ts'

export interface LostRolesTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
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
