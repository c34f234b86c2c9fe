import { formatGroupKind, isSecret } from '../../core/kube/group-version-kind.ts'
import { type Project, reachOf, type WatchedRole } from '../../engine/operator/project.ts'
import type { Permission } from '../../engine/role/task-kind.ts'
import { grantingRights } from './granting-rights.ts'
import { type InstallationSettings, installationRights } from './installation-rights.ts'
import type { KindName, KindNames } from './kind-names.ts'
import { minimalRights, type Place, type Right } from './right.ts'

export interface RightsSettings extends InstallationSettings {
  /** Kinds that it does not know are left out: the names of their rights are unknown. */
  readonly names: KindNames
}

/**
 * Everything that the operator asks of an API server for a project: no more, and nothing by a wildcard.
 *
 * Where entries list namespaces, rights are in those namespaces, else in all.
 */
export function neededRights(project: Pick<Project, 'watches'>, settings: RightsSettings): readonly Right[] {
  const watched = project.watches.flatMap((entry) => watchedRights(entry, { ...settings, project }))
  return minimalRights([...watched, ...installationRights(settings)])
}

interface Context extends RightsSettings {
  readonly project: Pick<Project, 'watches'>
}

function watchedRights(entry: WatchedRole, context: Context): readonly Right[] {
  const { watch, role } = entry
  const name = context.names(watch.gvk)
  const own = name ? resourceRights(entry, name) : []
  return [...own, ...role.permissions.flatMap((permission) => permissionRights(permission, entry, context))]
}

/** What the engine does to the resources themselves. */
function resourceRights({ watch, role }: WatchedRole, { plural, namespaced }: KindName): Right[] {
  const { group } = watch.gvk
  const places = placesIn(namespaced ? watch.namespaces : undefined)
  const isPatched = needsFinalizer({ watch, role }, namespaced) || makesJobs(role)
  // Read live: for who asks what became of it, when its labels have left a selector, after a conflict about the finalizer, and for
  // whose a condition is.
  const verbs = ['get', 'list', 'watch', ...(isPatched ? ['patch'] : [])]
  // Events report what becomes of a resource.
  const events = { group: 'events.k8s.io', resource: 'events', verbs: ['create'] }
  const owns = role.permissions.some(({ access, retained }) => access === 'own' && !retained)
  return [
    ...rights({ group, resource: plural, verbs, places }),
    ...rights({ group, resource: `${plural}/status`, verbs: writesStatus({ watch, role }) ? ['patch'] : [], places }),
    ...rights({ ...events, places: eventPlaces(watch, { namespaced }) }),
    // For `blockOwnerDeletion` in the owner references of what it makes.
    ...rights({ group, resource: `${plural}/finalizers`, verbs: owns ? ['update'] : [], places }),
  ]
}

/** A task that holds others may hold one that does. */
function writesStatus({ watch, role }: WatchedRole): boolean {
  const tasks = [...role.tasks, ...(role.finalize ?? [])]
  return watch.manageStatus || tasks.some(({ kind }) => kind.writesStatus || kind.lists || kind.files)
}

/** Whether something of a resource can lie where no garbage collector reaches, or is to go before the resource. */
function needsFinalizer({ watch, role }: WatchedRole, namespaced: boolean): boolean {
  const reachesOut = namespaced && (watch.allowedNamespaces.write ?? []).length > 0
  return (
    role.finalize !== undefined ||
    watch.deletion.propagation === 'foreground' ||
    role.permissions.some(
      ({ access, retained }) => access === 'patch' || (access === 'own' && (retained || reachesOut)),
    )
  )
}

/** What has run is noted on the resource. */
function makesJobs({ permissions }: WatchedRole['role']): boolean {
  return permissions.some(({ access, gvk }) => access === 'own' && formatGroupKind(gvk) === 'Job.batch')
}

function permissionRights(permission: Permission, entry: WatchedRole, context: Context): readonly Right[] {
  const { gvk, access, name } = permission
  const kind = context.names(gvk)
  if (!kind) return []
  const scope = scopeOf(permission, entry, { context, namespaced: kind.namespaced })
  const resource = permission.subresource ? `${kind.plural}/${permission.subresource}` : kind.plural
  const grant = (verbs: readonly string[], places: readonly Place[]): Right[] =>
    rights({ group: gvk.group, resource, verbs, places })
  const named = name === undefined ? scope.direct : scope.direct.map((place) => ({ ...place, name }))
  if (permission.subresource) return grant(['patch'], named)
  if (access === 'create') return grant(['create'], scope.direct)
  const watched = grant(['list', 'watch'], scope.watched)
  if (access === 'read') return [...watched, ...grant(isGot(permission) ? ['get'] : [], named)]
  const found = [...watched, ...grantingRights(permission, scope.direct)]
  if (access === 'patch') return [...found, ...grant(['get', 'patch'], named)]
  // What a former version of the role made under another name is found and deleted, too; a create has no name.
  return [...found, ...grant(['patch'], named), ...grant(['get', 'create', 'delete'], scope.direct)]
}

/** Secrets are listed without their data, which is read one by one. */
function isGot({ gvk, listed }: Permission): boolean {
  return !listed || isSecret(gvk)
}

interface Scope {
  /** Where objects are read one by one, and written. */
  readonly direct: readonly Place[]
  /** Where they are listed and watched. */
  readonly watched: readonly Place[]
}

function scopeOf(
  { access, namespace }: Permission,
  { watch }: WatchedRole,
  { context, namespaced }: { readonly context: Context; readonly namespaced: boolean },
): Scope {
  const entries = context.project.watches.map((one) => one.watch)
  const reach = reachOf(entries.filter((one) => formatGroupKind(one.gvk) === formatGroupKind(watch.gvk)))
  const owner = context.names(watch.gvk)
  if (access === 'create') return { direct: eventPlaces(watch, owner), watched: [] }
  if (!namespaced) return { direct: EVERYWHERE, watched: EVERYWHERE }
  const direct = placesIn(namespace === undefined ? reachedNamespaces(watch, { access, owner }) : [namespace])
  // What a role makes or patches is looked for wherever the entries of the kind reach, as everything is where they reach all.
  return { direct, watched: access === 'read' && reach !== undefined ? direct : placesIn(reach) }
}

/** Where the entry lets tasks read, or write; `undefined` for everywhere. */
function reachedNamespaces(
  { namespaces, allowedNamespaces: { read, write } }: WatchedRole['watch'],
  { access, owner }: { readonly access: Permission['access']; readonly owner: KindName | undefined },
): readonly string[] | undefined {
  const allowed = access === 'read' ? read : write
  if (allowed?.includes('*')) return undefined
  // What is in no namespace has none of its own to add.
  if (allowed && owner?.namespaced === false) return allowed
  return namespaces && [...namespaces, ...(allowed ?? [])]
}

/** Events stand beside the resource, those on what is in no namespace in `default`. */
function eventPlaces(
  { namespaces }: WatchedRole['watch'],
  kind: Pick<KindName, 'namespaced'> | undefined,
): readonly Place[] {
  return placesIn(kind?.namespaced === false ? ['default'] : namespaces)
}

const EVERYWHERE: readonly Place[] = [{}]

function placesIn(namespaces: readonly string[] | undefined): readonly Place[] {
  return namespaces === undefined ? EVERYWHERE : namespaces.map((namespace) => ({ namespace }))
}

interface Grant {
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  readonly places: readonly Place[]
}

function rights({ group, resource, verbs, places }: Grant): Right[] {
  return places.flatMap((place) => verbs.map((verb) => ({ verb, group, resource, ...place })))
}
