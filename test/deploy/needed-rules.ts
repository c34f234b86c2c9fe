import { isJsonObject } from '../../src/base/json.ts'
import { loadBuiltinSchemas } from '../../src/cli/sandbox-cluster.ts'
import type { Project } from '../../src/config/project.ts'
import type { Gvk } from '../../src/kube/group-version-kind.ts'
import type { Permission } from '../../src/role/task-kind.ts'

export interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** From a kind to its plural, as a server tells it. */
export type Plurals = (gvk: Gvk) => string

const VERBS: Readonly<Record<Permission['access'], readonly string[]>> = {
  own: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  patch: ['get', 'list', 'watch', 'patch'],
  read: ['get', 'list', 'watch'],
  create: ['create'],
}

const schemas = loadBuiltinSchemas()

export const builtinResources: Plurals = ({ group, version, kind }) => {
  const found = schemas.resources().find((one) => one.group === group && one.version === version && one.kind === kind)
  if (!found) throw new Error(`${kind} is no built-in kind`)
  return found.plural
}

/** What a project needs, computed from the permissions of its tasks. */
export function rulesFor(project: Project, plurals: Plurals): Rule[] {
  const needed = new Map<string, Set<string>>()
  const add = (group: string, resource: string, verbs: readonly string[]): void => {
    const key = `${group}/${resource}`
    needed.set(key, new Set([...(needed.get(key) ?? []), ...verbs]))
  }
  for (const { watch, role } of project.watches) {
    const plural = pluralOf(project, watch.gvk)
    add(watch.gvk.group, plural, ['get', 'list', 'watch', 'patch'])
    add(watch.gvk.group, `${plural}/status`, ['patch'])
    add(watch.gvk.group, `${plural}/finalizers`, ['update'])
    for (const { gvk, access } of role.permissions) add(gvk.group, plurals(gvk), VERBS[access])
  }
  return [...needed].map(([key, verbs]) => {
    const [group = '', ...resource] = key.split('/')
    return { apiGroups: [group], resources: [resource.join('/')], verbs: [...verbs] }
  })
}

function pluralOf(project: Project, gvk: Gvk): string {
  for (const { spec } of project.crds) {
    const names = isJsonObject(spec) && spec.group === gvk.group && isJsonObject(spec.names) ? spec.names : {}
    if (names.kind === gvk.kind) return String(names.plural)
  }
  throw new Error(`${gvk.kind} has no CRD`)
}
