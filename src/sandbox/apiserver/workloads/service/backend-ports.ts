import { canonicalJson, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'
import { containersOf } from '../common/pod-state.ts'
import type { Backend } from './service-pods.ts'

export type BackendPort = {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly appProtocol?: string
}

export interface PortGroup {
  readonly ports: readonly BackendPort[]
  readonly backends: readonly Backend[]
}

/** The pods behind a Service by the ports that those of the Service are on them. */
export function groupByPorts(service: KubeObject, backends: readonly Backend[]): readonly PortGroup[] {
  const groups = new Map<string, PortGroup & { readonly backends: Backend[] }>()
  for (const backend of backends) {
    const ports = backendPorts(service, backend.pod)
    const id = canonicalJson(ports)
    const group = groups.get(id) ?? { ports, backends: [] }
    group.backends.push(backend)
    groups.set(id, group)
  }
  return [...groups.values()]
}

/** The ports of a Service as they are on one pod; a port whose name the pod does not know is left out. */
function backendPorts(service: KubeObject, pod: KubeObject): readonly BackendPort[] {
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
