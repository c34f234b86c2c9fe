import { formatGroupKind, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { Step, TestCase } from './test-case.ts'

/**
 * What a test needs of a project: the role that it stands with, those that look after what it speaks of, and those that
 * look after what these make; and the CRDs of all that. Less is done sooner.
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
      kinds.add(formatGroupKind(entry.watch.gvk))
      for (const { gvk } of entry.role.permissions) kinds.add(formatGroupKind(gvk))
    }
  }
  return {
    ...project,
    watches: project.watches.filter((entry) => needed.has(entry)),
    crds: project.crds.filter((crd) => kinds.has(kindOf(crd))),
  }
}

/** Of the objects of a CRD. */
function kindOf({ spec }: KubeObject): string {
  const { group, names } = spec as { readonly group: string; readonly names: { readonly kind: string } }
  return formatGroupKind({ group, kind: names.kind })
}

function kindsIn({ given, steps }: TestCase): readonly Gvk[] {
  return [...given.map(gvkOf), ...steps.flatMap(kindsOfStep)]
}

function kindsOfStep({ action, expect, absent }: Step): readonly Gvk[] {
  const seen = [...expect, ...absent].map(({ gvk }) => gvk)
  switch (action?.verb) {
    case 'create':
      return [...seen, ...action.objects.map(gvkOf)]
    case 'patch':
      return [...seen, action.target.gvk]
    case 'delete':
      return [...seen, ...action.targets.map(({ gvk }) => gvk)]
    default:
      return seen
  }
}
