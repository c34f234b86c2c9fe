import type { Clock } from '../../base/clock.ts'
import { canonicalJson, type JsonObject, jsonEquals } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { isHeadless } from '../kinds/service/service-traits.ts'
import type { ObjectApi } from '../object-api.ts'
import { KINDS } from './common/known-kinds.ts'
import {
  byAge,
  CONTROLLER_MANAGER,
  isDeleting,
  specOf,
  timestamp,
  withAnnotations,
  withoutAnnotation,
} from './common/objects.ts'
import { controllerReference, OwnedObjects } from './common/owned-objects.ts'
import { type BackendPort, backendPorts, hasNewItems } from './service/backend-ports.ts'
import { type Backend, ServicePods, selectorOf } from './service/service-pods.ts'
import type { WorkloadController } from './workload-controller.ts'

const MAX_ENDPOINTS = 100
const MANAGED_BY = 'endpointslice-controller.k8s.io'
const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Writes down in EndpointSlices which pods are behind each Service. */
export const endpointSliceController: WorkloadController = {
  name: 'endpointslice-controller',
  start: (api, clock, logger) => new EndpointSliceController(api, clock, logger).stop,
}

interface SliceContent {
  readonly endpoints: readonly JsonObject[]
  readonly ports: readonly BackendPort[]
}

class EndpointSliceController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #pods: ServicePods
  readonly #slices: OwnedObjects

  constructor(api: ObjectApi, clock: Clock, logger: Logger | undefined) {
    this.#api = api
    this.#clock = clock
    this.#pods = new ServicePods(api, clock, { reconcile: (key) => this.#reconcile(key), logger })
    const kinds = { owned: KINDS.endpointSlice, owner: KINDS.service }
    this.#slices = new OwnedObjects(api, kinds, (owner) => this.#pods.loop.enqueue(owner))
    this.stop = () => {
      this.#pods.stop()
      this.#slices.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const service = this.#api.get(KINDS.service, key)
    const hasPods = service && Object.keys(selectorOf(service)).length > 0 && specOf(service).type !== 'ExternalName'
    if (!service || isDeleting(service)) return
    const existing = [...this.#slices.of(service)].sort(byAge)
    const wanted = hasPods ? contentsOf(service, this.#pods.of(service)) : []
    wanted.forEach((content, index) => {
      this.#put(service, content, existing[index])
    })
    for (const slice of existing.slice(wanted.length)) {
      this.#api.delete(KINDS.endpointSlice, keyOf(slice), { uid: slice.metadata.uid })
    }
  }

  #put(service: KubeObject, content: SliceContent, existing: KubeObject | undefined): void {
    const labels = labelsOf(service)
    if (!existing) {
      this.#api.create(this.#withTime(newSlice(service, content)), CONTROLLER_MANAGER)
      return
    }
    const { endpoints, ports } = nullForEmpty(content)
    const isSame = jsonEquals(existing.endpoints, endpoints) && jsonEquals(existing.ports, ports)
    if (isSame && jsonEquals(existing.metadata.labels, labels)) return
    const changed = { ...existing, metadata: { ...existing.metadata, labels }, endpoints, ports }
    const isNew = hasNewItems(endpoints ?? [], existing.endpoints)
    this.#api.update(isNew ? this.#withTime(changed) : withoutAnnotation(changed, TRIGGER_TIME), CONTROLLER_MANAGER)
  }

  #withTime(slice: KubeObject): KubeObject {
    return withAnnotations(slice, { [TRIGGER_TIME]: timestamp(this.#clock.now()) })
  }
}

/** One slice for pods with the same ports, of at most 100 endpoints; an empty one when there are none. */
function contentsOf(service: KubeObject, backends: readonly Backend[]): readonly SliceContent[] {
  const groups = new Map<string, { ports: readonly BackendPort[]; endpoints: JsonObject[] }>()
  for (const backend of backends) {
    const ports = backendPorts(service, backend.pod)
    const id = canonicalJson(ports as unknown as readonly JsonObject[])
    const group = groups.get(id) ?? { ports, endpoints: [] }
    group.endpoints.push(endpointOf(backend))
    groups.set(id, group)
  }
  const slices = [...groups.values()].flatMap(({ ports, endpoints }) =>
    Array.from({ length: Math.ceil(endpoints.length / MAX_ENDPOINTS) }, (_, page) => ({
      ports,
      endpoints: endpoints.slice(page * MAX_ENDPOINTS, (page + 1) * MAX_ENDPOINTS),
    })),
  )
  return slices.length > 0 ? slices : [{ ports: [], endpoints: [] }]
}

function endpointOf({ pod, ip, ready, serving, terminating }: Backend): JsonObject {
  const { name, namespace, uid } = pod.metadata
  const { nodeName, hostname, subdomain } = specOf(pod)
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && subdomain !== undefined && { hostname }),
    nodeName,
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
    'kubernetes.io/service-name': service.metadata.name ?? '',
    ...(isHeadless(specOf(service)) && { 'service.kubernetes.io/headless': '' }),
  }
}
