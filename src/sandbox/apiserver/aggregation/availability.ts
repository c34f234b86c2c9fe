import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'

export const SERVICE = { group: '', version: 'v1', kind: 'Service' }
export const ENDPOINT_SLICE = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }
const SERVICE_NAME = 'kubernetes.io/service-name'

/** Why a program behind a Service does not serve its part of the API: none does, as this server reaches no Service. */
export function unavailability(apiService: KubeObject, objects: ObjectApi): { reason: string; message: string } {
  const { group, version, service } = objectAt(apiService, 'spec')
  const { namespace = '', name = '', port = 443 } = service as { namespace?: string; name?: string; port?: number }
  const label = `service/${name} in ${JSON.stringify(namespace)}`
  const found = objects.get(SERVICE, { namespace, name })
  if (!found) return { reason: 'ServiceNotFound', message: `${label} is not present` }
  const spec = objectAt(found, 'spec')
  const problem =
    textAt(spec, 'type') === 'ClusterIP' ? endpointProblem(spec, { namespace, name, port }, objects) : undefined
  if (problem) return problem
  const url = `https://${textAt(spec, 'clusterIP') || `${name}.${namespace}.svc`}:${port}/apis/${group}/${version}`
  const why = 'this API server runs in memory and reaches no Service'
  return { reason: 'FailedDiscoveryCheck', message: `failing or missing response from ${url}: ${why}` }
}

interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

function endpointProblem(spec: JsonObject, { namespace, name, port }: ServiceReference, objects: ObjectApi) {
  const label = `service/${name} in ${JSON.stringify(namespace)}`
  const found = itemsAt(spec, 'ports').find((each) => each.port === port)
  if (!found) return { reason: 'ServicePortError', message: `${label} is not listening on port ${port}` }
  const slices = objects.list(ENDPOINT_SLICE, { namespace, labels: (labels) => labels[SERVICE_NAME] === name })
  if (slices.length === 0) {
    return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${label}` }
  }
  const portName = textAt(found, 'name')
  if (slices.some((slice) => isReachable(slice, portName))) return undefined
  const message = `endpointslices for ${label} have no addresses with port name ${JSON.stringify(portName)}`
  return { reason: 'MissingEndpoints', message }
}

function isReachable(slice: KubeObject, portName: string): boolean {
  const isReady = itemsAt(slice, 'endpoints').some((each) => objectAt(each, 'conditions').ready !== false)
  return isReady && itemsAt(slice, 'ports').some((port) => port.name === portName && numberAt(port, 'port') > 0)
}

/** Of an EndpointSlice, the Service whose endpoints it has. */
export function serviceOfSlice({ metadata }: KubeObject): string {
  return metadata.labels?.[SERVICE_NAME] ?? ''
}
