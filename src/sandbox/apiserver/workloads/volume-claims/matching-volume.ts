import { compileLabelSelector, type LabelSelector } from '../../../../core/kube/label-selector.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { objectAt, textAt, textsAt } from '../../kinds/common/fields.ts'
import { nanosOf } from '../../kinds/common/quantity.ts'
import { isDeleting, specOf, statusOf } from '../common/objects.ts'

/** The smallest volume that a claim can have: one that is kept for it before all others. */
export function smallestFor(claim: KubeObject, volumes: readonly KubeObject[]): KubeObject | undefined {
  const fitting = volumes.filter((volume) => fits(volume, claim))
  const kept = fitting.find((volume) => specOf(volume).claimRef !== undefined)
  return kept ?? fitting.sort((left, right) => (sizeOf(left) < sizeOf(right) ? -1 : 1))[0]
}

function fits(volume: KubeObject, claim: KubeObject): boolean {
  const [offered, wanted] = [specOf(volume), specOf(claim)]
  const modes = textsAt(offered, 'accessModes')
  const { storage } = objectAt(objectAt(wanted, 'resources'), 'requests')
  return (
    !isDeleting(volume) &&
    isFree(volume, claim) &&
    // A claim without a class is content with a volume without one.
    textAt(offered, 'storageClassName') === textAt(wanted, 'storageClassName') &&
    offered.volumeMode === wanted.volumeMode &&
    textsAt(wanted, 'accessModes').every((mode) => modes.includes(mode)) &&
    sizeOf(volume) >= nanosOf(storage) &&
    isSelected(volume, wanted.selector as LabelSelector | undefined)
  )
}

/** Whether it is kept for this claim, or for none. */
function isFree(volume: KubeObject, { metadata }: KubeObject): boolean {
  if (statusOf(volume).phase === 'Released') return false
  const { name, namespace, uid } = objectAt(specOf(volume), 'claimRef')
  if (name === undefined) return true
  return name === metadata.name && namespace === metadata.namespace && (uid === undefined || uid === metadata.uid)
}

function isSelected({ metadata }: KubeObject, selector: LabelSelector | undefined): boolean {
  return selector === undefined || compileLabelSelector(selector)(metadata.labels ?? {})
}

function sizeOf(volume: KubeObject): bigint {
  return nanosOf(objectAt(specOf(volume), 'capacity').storage)
}
