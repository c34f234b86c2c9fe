import { getPath } from '../../core/base/json.ts'
import { apiVersionOf, formatGvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import type { TaskPlaces } from '../../engine/role/parse/task-places.ts'
import type { Role } from '../../engine/role/role.ts'
import { allTasks } from './written-place.ts'

/** A note for each kind without a schema: where the role first names it. */
export function unknownKinds(
  role: Role,
  { places, known }: { readonly places: TaskPlaces; readonly known: KindSchemas },
): readonly Diagnostic[] {
  const seen = new Set<string>()
  return allTasks([...role.tasks, ...(role.finalize ?? [])]).flatMap((task) => {
    const written = places.of(task)
    const [apiVersion, kind] = ['apiVersion', 'kind'].map((field) => written && getPath(written.draft.body, [field]))
    if (!written || typeof apiVersion !== 'string' || typeof kind !== 'string') return []
    const gvk = gvkOf({ apiVersion, kind })
    // A group that servers have is judged by the check of the role.
    if (seen.has(formatGvk(gvk)) || known.get(gvk) || known.versionsOf(gvk.group) || !gvk.group.includes('.')) return []
    seen.add(formatGvk(gvk))
    const message = `nothing is known of ${kind} of ${apiVersionOf(gvk)}: what is made or read of it was not looked at`
    const hint = 'give its CustomResourceDefinition with `--schemas`, or check against a cluster with `--cluster`'
    const range = written.document.locate([...written.draft.path, written.draft.kind.name, 'kind'])
    return [diagnosticAt(range, { severity: 'note', code: 'RB1807', message, hint })]
  })
}
