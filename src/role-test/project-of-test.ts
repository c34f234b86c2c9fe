import type { Project } from '../config/project.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../kube/group-version-kind.ts'
import type { TestCase } from './test-case.ts'

/**
 * What a test needs of a project: the role that it stands with, those that look after what it speaks of, and those that
 * look after what these make. An operator with fewer watches has less to do.
 */
export function projectOfTest(project: Project, test: TestCase): Project {
  const kinds = new Set(kindsIn(test).map(formatGroupKind))
  const needed = new Set<(typeof project.watches)[number]>()
  const isNeeded = (entry: (typeof project.watches)[number]): boolean =>
    entry.watch.role === test.role || kinds.has(formatGroupKind(entry.watch.gvk))
  for (let size = -1; size !== needed.size; ) {
    size = needed.size
    for (const entry of project.watches.filter(isNeeded)) {
      needed.add(entry)
      for (const { gvk } of entry.role.permissions) kinds.add(formatGroupKind(gvk))
    }
  }
  return { ...project, watches: project.watches.filter((entry) => needed.has(entry)) }
}

function kindsIn({ given, steps }: TestCase): readonly Gvk[] {
  const acted = steps.flatMap(({ action }) => {
    if (action?.verb === 'create') return action.objects.map(gvkOf)
    return action?.verb === 'patch' ? [action.target.gvk] : []
  })
  return [...given.map(gvkOf), ...acted]
}
