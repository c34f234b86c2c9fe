import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import { type MadeRole, roleFromManifests } from '../../scaffold/manifests/role-from-manifests.ts'
import { type Invocation, UsageError } from '../command.ts'
import type { NewEntry } from '../new-entry.ts'
import { givenObjects } from './given-objects.ts'
import { knownKinds } from './known-kinds.ts'

/** A role that makes what `--from` names; `undefined` without that flag. @throws UsageError */
export async function roleFromGiven(
  invocation: Invocation,
  { group, version, kind }: NewEntry,
): Promise<MadeRole | undefined> {
  if (!invocation.flag('from') && invocation.text('from') === undefined) {
    if (invocation.text('namespace') !== undefined) throw new UsageError('--namespace: only --from reads a namespace')
    return undefined
  }
  const { objects, leftOut } = await givenObjects(invocation)
  const known = knownKinds(loadBuiltinSchemas())
  const made = roleFromManifests({
    gvk: { group, version, kind },
    objects,
    comment: `What becomes of each ${kind}. What stands in \${ } is JSONata over the resource.`,
    isNamespaced: (gvk) => known.isNamespaced(gvk) ?? true,
  })
  return { ...made, notes: [...leftOut.map((one) => `left out: ${one}`), ...made.notes] }
}
