import { type KubeObject, keyOf, type ObjectKey } from '../../../../core/kube/object.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'

/** The claims that a pod names. */
export function claimsOf(pod: KubeObject): readonly ObjectKey[] {
  const { namespace } = keyOf(pod)
  return itemsAt(specOf(pod), 'volumes').flatMap((volume) => {
    const name = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    return name === '' ? [] : [{ namespace, name }]
  })
}
