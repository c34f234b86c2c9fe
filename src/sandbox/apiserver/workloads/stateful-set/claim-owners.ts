import { type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf, type OwnerReference } from '../../../../core/kube/object.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'
import { controllerReference } from '../common/owned-objects.ts'
import { ordinalOf, ordinalsOf } from './stateful-pod.ts'

/**
 * The claim of a pod with the owner that the retention policy of the pod's set gives it: it goes with that one. The very
 * claim when nothing changes, or when it is still that of an earlier set or pod of the name.
 */
export function withOwner(claim: KubeObject, set: KubeObject, pod: KubeObject): KubeObject {
  const { ownerReferences = [] } = claim.metadata
  if (ownerReferences.some((reference) => isEarlier(reference, set) || isEarlier(reference, pod))) return claim
  const others = ownerReferences.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid)
  const isTaken = others.some(({ controller }) => controller === true)
  const owner = isTaken ? undefined : ownerOf(set, pod)
  const wanted = owner ? [...others, controllerReference(owner)] : others
  if (jsonEquals(wanted as JsonValue, ownerReferences as JsonValue)) return claim
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: wanted } }
}

/** Whether a claim is about to go with an earlier pod of a name: the next one waits for a claim of its own. */
export function goesWithPod({ metadata }: KubeObject, set: KubeObject, name: string): boolean {
  const owners = metadata.ownerReferences ?? []
  return policyOf(set).whenScaled === 'Delete' && owners.some((owner) => owner.kind === 'Pod' && owner.name === name)
}

/** The name of the set whose pod owned a claim, if one did. */
export function setOfOwner({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'Pod')?.name.replace(/-\d+$/, '')
}

/** A pod that is too many takes its claims along when a set that shrinks deletes them. */
function ownerOf(set: KubeObject, pod: KubeObject): KubeObject | undefined {
  const { whenScaled, whenDeleted } = policyOf(set)
  if (whenScaled === 'Delete' && !ordinalsOf(set).includes(ordinalOf(pod))) return pod
  return whenDeleted === 'Delete' ? set : undefined
}

function policyOf(set: KubeObject): JsonObject {
  return objectAt(specOf(set), 'persistentVolumeClaimRetentionPolicy')
}

function isEarlier({ kind, name, uid }: OwnerReference, owner: KubeObject): boolean {
  return kind === owner.kind && name === keyOf(owner).name && uid !== owner.metadata.uid
}
