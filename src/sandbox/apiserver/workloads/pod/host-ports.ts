import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'

/** The ports of the node that a pod takes. */
export function hostPortsOf(pod: KubeObject): readonly JsonObject[] {
  const spec = specOf(pod)
  const sidecars = itemsAt(spec, 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [...itemsAt(spec, 'containers'), ...sidecars].flatMap((container) =>
    itemsAt(container, 'ports').filter((port) => numberAt(port, 'hostPort') > 0),
  )
}

/** Whether two pods cannot be on one node: they want the same port at the same address, or one of them at all addresses. */
export function portsCollide(left: readonly JsonObject[], right: readonly JsonObject[]): boolean {
  return left.some((port) => right.some((other) => collides(port, other)))
}

function collides(left: JsonObject, right: JsonObject): boolean {
  if (left.hostPort !== right.hostPort || protocolOf(left) !== protocolOf(right)) return false
  const [ip, other] = [addressOf(left), addressOf(right)]
  return ip === other || ip === ANY || other === ANY
}

const ANY = '0.0.0.0'

function addressOf(port: JsonObject): string {
  return textAt(port, 'hostIP') || ANY
}

function protocolOf(port: JsonObject): string {
  return textAt(port, 'protocol') || 'TCP'
}
