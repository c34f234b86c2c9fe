import { getPath } from '../../../core/base/json.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { controllerOf } from '../../../core/kube/owner-reference.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import {
  applyEntryOf,
  FIELD_MANAGER,
  OPERATOR_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_LABEL,
  type Owner,
  ownerText,
} from './marks.ts'

/** Whose an object is, from the point of view of one resource. `foreign` names the other owner. */
export type Ownership =
  | { readonly kind: 'ours' }
  | { readonly kind: 'unowned' }
  | { readonly kind: 'foreign'; readonly by: string }

/**
 * An object is ours by its controller reference with our uid; without any controller, by label and annotations together,
 * when the live `managedFields` prove that the label is of our own making. Names and labels alone prove nothing: anybody
 * can write them.
 */
export function ownershipOf(live: KubeObject, owner: Owner, installation: string): Ownership {
  const controller = controllerOf(live)
  const operator = live.metadata.annotations?.[OPERATOR_ANNOTATION]
  if (operator !== undefined && operator !== installation) {
    return { kind: 'foreign', by: `another installation of rolebook (${operator})` }
  }
  if (controller) {
    if (controller.uid === owner.uid) return { kind: 'ours' }
    const by = `${controller.kind} ${formatKey({ ...keyOf(live), name: controller.name })}`
    const isFormer =
      controller.name === owner.key.name && formatGroupKind(gvkOf(controller)) === formatGroupKind(owner.gvk)
    return { kind: 'foreign', by: isFormer ? `a former ${by} and is to go with it` : by }
  }
  const uid = live.metadata.labels?.[OWNER_UID_LABEL]
  if (uid === undefined) return { kind: 'unowned' }
  const by = live.metadata.annotations?.[OWNER_ANNOTATION] ?? `the owner with uid ${uid}`
  if (uid !== owner.uid || by !== ownerText(owner)) return { kind: 'foreign', by }
  return operator === installation && isLabelledByUs(live) ? { kind: 'ours' } : { kind: 'unowned' }
}

/** What it takes to remove an object: a controller reference alone is no proof, since everybody can write one. */
export function isProvenOurs(live: KubeObject, owner: Owner, installation: string): boolean {
  return ownershipOf(live, owner, installation).kind === 'ours' && isLabelledByUs(live)
}

/** Whether the label with the owner's uid came from an apply of ours, which no other client can forge without our manager's name. */
function isLabelledByUs(live: KubeObject): boolean {
  const fields = applyEntryOf(live, FIELD_MANAGER)?.fieldsV1
  return getPath(fields, ['f:metadata', 'f:labels', `f:${OWNER_UID_LABEL}`]) !== undefined
}

/**
 * Whether `live` may be made the owner's: it is `ours` already, or it is `unowned` and may be adopted.
 *
 * @throws TaskFailure `NameCollision`
 */
export function checkMayEnsure(
  live: KubeObject,
  owner: Owner,
  options: { readonly installation: string; readonly adopt: 'never' | 'ifUnowned' },
): 'ours' | 'unowned' {
  const ownership = ownershipOf(live, owner, options.installation)
  if (ownership.kind === 'ours') return 'ours'
  const name = formatObject(live)
  if (ownership.kind === 'foreign') throw collision(`cannot ensure ${name}: it belongs to ${ownership.by}`)
  if (options.adopt === 'never') {
    const remedy = 'choose another name, delete it, or set `adopt: ifUnowned` in the role'
    throw collision(`cannot ensure ${name}: it exists already and is not this resource's (${remedy})`)
  }
  if (isTerminating(live)) throw collision(`cannot adopt ${name}: it is being deleted`)
  return 'unowned'
}

function collision(message: string): TaskFailure {
  return new TaskFailure('NameCollision', message)
}
