import type { KubeObject } from '../../../core/kube/object.ts'
import type { Project, WatchedRole } from '../../../engine/operator/project.ts'
import type { KindNames } from '../kind-names.ts'
import type { TestCase } from '../test-case.ts'
import { type NamespaceAlias, OWN_NAMESPACE } from './namespace-alias.ts'

export interface ConfinedProject {
  readonly project: Project
  /** Where its operator looks. */
  readonly watchNamespaces: readonly string[]
}

/** A project that looks into no namespace but those of a test. */
export function confinedProject(project: Project, test: TestCase, alias: NamespaceAlias): ConfinedProject {
  const namespaces = [OWN_NAMESPACE, ...namespacesMadeBy(test)]
  const watches = project.watches.flatMap((entry) => confinedEntry(entry, { namespaces, alias, kinds: test.kinds }))
  const watchNamespaces = namespaces.map((name) => alias.namespaceOnCluster(name))
  return { project: { ...project, watches }, watchNamespaces }
}

function namespacesMadeBy({ given, steps }: TestCase): readonly string[] {
  const created = steps.flatMap(({ action }) => (action?.verb === 'create' ? action.objects : []))
  const isNamespace = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1'
  return [...new Set([...given, ...created].filter(isNamespace).flatMap(({ metadata }) => metadata.name ?? []))]
}

interface Place {
  /** As the author names them. */
  readonly namespaces: readonly string[]
  readonly alias: NamespaceAlias
  readonly kinds: KindNames
}

/** None: the entry watches no namespace of the test. */
function confinedEntry({ watch, role }: WatchedRole, { namespaces, alias, kinds }: Place): readonly WatchedRole[] {
  const onCluster = (names: readonly string[]): readonly string[] => names.map((name) => alias.namespaceOnCluster(name))
  const watched = watch.namespaces?.filter((name) => namespaces.includes(name))
  if (watched?.length === 0) return []
  const makesClusterScoped = role.permissions.some(({ gvk }) => kinds.of(gvk)?.namespaced === false)
  const within = (names: readonly string[] | undefined): readonly string[] | undefined => {
    // Who makes cluster-scoped objects must be allowed everywhere: the client of the operator keeps it within the test.
    if (names === undefined || (names.includes('*') && makesClusterScoped)) return names
    return onCluster(names.includes('*') ? namespaces : names)
  }
  const { read, write } = watch.allowedNamespaces
  const allowedNamespaces = { read: within(read), write: within(write) }
  return [{ role, watch: { ...watch, ...(watched && { namespaces: onCluster(watched) }), allowedNamespaces } }]
}
