import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { isSlip } from './is-slip.ts'
import { type OwnObjects, objectAt } from './own-objects.ts'
import type { ReferenceRule } from './reference-rule.ts'

/**
 * The Service by which the Pods of a StatefulSet are named in DNS. One that the role does not make may be of others, but hardly
 * where the role makes a headless one that selects the same Pods. A name that is almost right is reported as such.
 */
export const governingService: ReferenceRule = (object, own) => {
  const { serviceName } = objectAt(object as JsonObject, ['spec'])
  if (object.kind !== 'StatefulSet' || typeof serviceName !== 'string' || serviceName === '') return []
  const names = own.names('Service', object)
  if (names.includes(serviceName) || names.some((name) => isSlip(serviceName, name))) return []
  const headless = names.filter((name) => isHeadlessFor(object, own.find('Service', name, object), own))
  const [first, second] = headless
  if (first === undefined) return []
  const message = `the role makes no Service "${serviceName}", so that DNS has no names for the Pods`
  const hint =
    second === undefined ? `did you mean \`${first}\`?` : `their headless Services are ${headless.join(', ')}`
  return [{ path: ['spec', 'serviceName'], message, hint, severity: 'warning' }]
}

function isHeadlessFor(object: KubeObject, service: KubeObject | undefined, own: OwnObjects): boolean {
  const { clusterIP, selector } = objectAt(service as JsonObject | undefined, ['spec'])
  if (clusterIP !== 'None' || selector === undefined) return false
  return own.selected(objectAt(selector, []), object).some((pods) => pods.object === object)
}
