import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { isHeadless } from '../kinds/service/service-traits.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { byAge, isDeleting, specOf } from './common/objects.ts'
import { controllerReference, type OwnedObjects } from './common/owned-objects.ts'
import { type BackendPort, groupByPorts } from './service/backend-ports.ts'
import { type Backend, hostnameOf, ServicePods, selectsPods } from './service/service-pods.ts'
import { triggeredAt, withTriggerTime } from './service/trigger-time.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const MAX_ENDPOINTS = 100
const MANAGED_BY = 'endpointslice-controller.k8s.io'

/** Writes down in EndpointSlices which pods are behind each Service. */
export function endpointSliceController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'endpointslice-controller',
    kind: KINDS.service,
    reconciler: (tools) => new EndpointSliceReconciler(tools),
  })
}

interface SliceContent {
  readonly endpoints: readonly JsonObject[]
  readonly ports: readonly BackendPort[]
}

class EndpointSliceReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #pods: ServicePods
  readonly #slices: OwnedObjects

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#pods = new ServicePods(tools)
    this.#slices = tools.owned(KINDS.endpointSlice)
  }

  reconcile(service: KubeObject): void {
    if (isDeleting(service) || !selectsPods(service)) return
    const existing = [...this.#slices.of(service)].sort(byAge)
    const wanted = contentsOf(service, this.#pods.of(service))
    wanted.forEach((content, index) => {
      this.#put(service, content, existing[index])
    })
    for (const slice of existing.slice(wanted.length)) {
      this.#tools.api.delete(KINDS.endpointSlice, keyOf(slice), { uid: slice.metadata.uid })
    }
  }

  #put(service: KubeObject, content: SliceContent, existing: KubeObject | undefined): void {
    const { api, clock } = this.#tools
    if (!existing) {
      api.create(triggeredAt(newSlice(service, content), clock.now()), CONTROLLER_MANAGER)
      return
    }
    const labels = labelsOf(service)
    const { endpoints, ports } = nullForEmpty(content)
    const isSame = jsonEquals(existing.endpoints, endpoints) && jsonEquals(existing.ports, ports)
    if (isSame && jsonEquals(existing.metadata.labels, labels)) return
    const slice = { ...existing, metadata: { ...existing.metadata, labels }, endpoints, ports }
    const change = { items: content.endpoints, before: existing.endpoints }
    api.update(withTriggerTime(slice, change, clock.now()), CONTROLLER_MANAGER)
  }
}

/** One slice for pods with the same ports, of at most 100 endpoints; an empty one when there are none. */
function contentsOf(service: KubeObject, backends: readonly Backend[]): readonly SliceContent[] {
  const slices = groupByPorts(service, backends).flatMap(({ ports, backends: members }) => {
    const endpoints = members.map((backend) => endpointOf(backend, service))
    return Array.from({ length: Math.ceil(endpoints.length / MAX_ENDPOINTS) }, (_, page) => ({
      ports,
      endpoints: endpoints.slice(page * MAX_ENDPOINTS, (page + 1) * MAX_ENDPOINTS),
    }))
  })
  return slices.length > 0 ? slices : [{ ports: [], endpoints: [] }]
}

function endpointOf(backend: Backend, service: KubeObject): JsonObject {
  const { pod, ip, ready, serving, terminating } = backend
  const { name, namespace, uid } = pod.metadata
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...hostnameOf(backend, service),
    nodeName: specOf(pod).nodeName,
    targetRef: { kind: 'Pod', name, namespace, uid },
  }
}

function newSlice(service: KubeObject, content: SliceContent): KubeObject {
  const { name, namespace } = service.metadata
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: labelsOf(service),
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    ...nullForEmpty(content),
  }
}

function nullForEmpty({ endpoints, ports }: SliceContent): {
  endpoints: JsonObject[] | null
  ports: JsonObject[] | null
} {
  return {
    endpoints: endpoints.length === 0 ? null : [...endpoints],
    ports: ports.length === 0 ? null : ports.map((port) => ({ ...port })),
  }
}

function labelsOf(service: KubeObject): { readonly [name: string]: string } {
  return {
    ...service.metadata.labels,
    'endpointslice.kubernetes.io/managed-by': MANAGED_BY,
    'kubernetes.io/service-name': keyOf(service).name,
    ...(isHeadless(specOf(service)) && { 'service.kubernetes.io/headless': '' }),
  }
}
