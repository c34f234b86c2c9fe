import { isJsonArray, type JsonObject, type JsonValue, jsonEquals } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { itemsAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'
import { containersOf } from '../common/pod-state.ts'

export interface BackendPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly appProtocol?: string
}

/** The ports of a Service as they are on one pod; a port whose name the pod does not know is left out. */
export function backendPorts(service: KubeObject, pod: KubeObject): readonly BackendPort[] {
  return itemsAt(specOf(service), 'ports').flatMap((port) => {
    const number = portNumber(port, pod)
    if (number === undefined) return []
    const { appProtocol } = port
    const found = { name: textAt(port, 'name'), port: number, protocol: textAt(port, 'protocol') }
    return [typeof appProtocol === 'string' ? { ...found, appProtocol } : found]
  })
}

function portNumber({ targetPort, protocol }: JsonObject, pod: KubeObject): number | undefined {
  if (typeof targetPort === 'number') return targetPort
  const ports = containersOf(pod).flatMap((container) => itemsAt(container, 'ports'))
  const found: JsonValue | undefined = ports.find(
    (port) => port.name === targetPort && port.protocol === protocol,
  )?.containerPort
  return typeof found === 'number' ? found : undefined
}

/** Whether a list has an item that an earlier state of it lacks: then something came, else something only went. */
export function hasNewItems(items: readonly JsonObject[], before: JsonValue | undefined): boolean {
  const known = isJsonArray(before) ? before : []
  return items.some((item) => !known.some((each) => jsonEquals(item, each)))
}
