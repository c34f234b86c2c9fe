import type { Clock } from '../../base/clock.ts'
import { canonicalJson, type JsonObject, jsonEquals } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { itemsAt, textAt } from '../kinds/common/fields.ts'
import { isHeadless } from '../kinds/service/service-traits.ts'
import type { ObjectApi } from '../object-api.ts'
import { KINDS } from './common/known-kinds.ts'
import {
  CONTROLLER_MANAGER,
  isDeleting,
  specOf,
  timestamp,
  withAnnotations,
  withoutAnnotation,
} from './common/objects.ts'
import { type BackendPort, backendPorts, hasNewItems } from './service/backend-ports.ts'
import { type Backend, ServicePods, selectorOf } from './service/service-pods.ts'
import type { WorkloadController } from './workload-controller.ts'

const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Writes down in Endpoints, the old form of EndpointSlices, which pods are behind each Service. */
export const endpointsController: WorkloadController = {
  name: 'endpoint-controller',
  start: (api, clock, logger) => new EndpointsController(api, clock, logger).stop,
}

class EndpointsController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #pods: ServicePods

  constructor(api: ObjectApi, clock: Clock, logger: Logger | undefined) {
    this.#api = api
    this.#clock = clock
    this.#pods = new ServicePods(api, clock, { reconcile: (key) => this.#reconcile(key), logger })
    const unsubscribe = api.subscribe(KINDS.endpoints, ({ type, object }) => {
      if (type !== 'ADDED') this.#pods.loop.enqueue(keyOf(object))
    })
    this.stop = () => {
      unsubscribe()
      this.#pods.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const service = this.#api.get(KINDS.service, key)
    const existing = this.#api.get(KINDS.endpoints, key)
    if (!service || isDeleting(service)) {
      if (existing && isOurs(existing)) this.#api.delete(KINDS.endpoints, key, { uid: existing.metadata.uid })
      return
    }
    if (Object.keys(selectorOf(service)).length === 0 || specOf(service).type === 'ExternalName') return
    this.#put(service, existing)
  }

  #put(service: KubeObject, existing: KubeObject | undefined): void {
    const { name, namespace } = service.metadata
    const subsets = subsetsOf(service, this.#pods.of(service))
    const labels = {
      ...service.metadata.labels,
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      ...(isHeadless(specOf(service)) && { 'service.kubernetes.io/headless': '' }),
    }
    const isSame = jsonEquals(existing?.subsets ?? [], subsets) && jsonEquals(existing?.metadata.labels, labels)
    if (existing && isSame) return
    const metadata = { ...(existing?.metadata ?? { name, namespace }), labels }
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata, ...(subsets.length > 0 && { subsets }) }
    const timed = withAnnotations(object, { [TRIGGER_TIME]: timestamp(this.#clock.now()) })
    const isNew = hasNewItems(subsets.flatMap(addressesOf), itemsAt(existing, 'subsets').flatMap(addressesOf))
    if (existing) this.#api.update(isNew ? timed : withoutAnnotation(object, TRIGGER_TIME), CONTROLLER_MANAGER)
    else this.#api.create(timed, CONTROLLER_MANAGER)
  }
}

function isOurs({ metadata }: KubeObject): boolean {
  return metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller'
}

/** One subset for pods with the same ports, addresses in order. */
function subsetsOf(service: KubeObject, backends: readonly Backend[]): readonly JsonObject[] {
  const groups = new Map<string, { ports: readonly BackendPort[]; backends: Backend[] }>()
  for (const backend of backends.filter(({ terminating }) => !terminating)) {
    const ports = backendPorts(service, backend.pod)
    const id = canonicalJson(ports as unknown as readonly JsonObject[])
    const group = groups.get(id) ?? { ports, backends: [] }
    group.backends.push(backend)
    groups.set(id, group)
  }
  return [...groups.values()].map(({ ports, backends: members }) => {
    const addresses = members
      .filter(({ ready }) => ready)
      .map(addressOf)
      .sort(byIP)
    const notReadyAddresses = members
      .filter(({ ready }) => !ready)
      .map(addressOf)
      .sort(byIP)
    return {
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
      ...(ports.length > 0 && { ports: ports.map(withoutEmptyName) }),
    }
  })
}

function addressesOf(subset: JsonObject): readonly JsonObject[] {
  return [...itemsAt(subset, 'addresses'), ...itemsAt(subset, 'notReadyAddresses')]
}

function addressOf({ pod, ip }: Backend): JsonObject {
  const { name, namespace, uid } = pod.metadata
  return { ip, nodeName: specOf(pod).nodeName, targetRef: { kind: 'Pod', name, namespace, uid } }
}

function byIP(left: JsonObject, right: JsonObject): number {
  return textAt(left, 'ip') < textAt(right, 'ip') ? -1 : 1
}

function withoutEmptyName({ name, ...port }: BackendPort): JsonObject {
  return name === '' ? port : { name, ...port }
}
