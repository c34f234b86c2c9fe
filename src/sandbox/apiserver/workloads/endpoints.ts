import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { itemsAt, textAt } from '../kinds/common/fields.ts'
import { isHeadless } from '../kinds/service/service-traits.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, specOf } from './common/objects.ts'
import { type BackendPort, groupByPorts } from './service/backend-ports.ts'
import { type Backend, hostnameOf, ServicePods, selectsPods } from './service/service-pods.ts'
import { triggeredAt, withTriggerTime } from './service/trigger-time.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Writes down in Endpoints, the old form of EndpointSlices, which pods are behind each Service. */
export function endpointsController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'endpoint-controller',
    kind: KINDS.service,
    reconciler: (tools) => new EndpointsReconciler(tools),
  })
}

class EndpointsReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #pods: ServicePods

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#pods = new ServicePods(tools)
    tools.subscribe(KINDS.service, ({ type, object }) => {
      if (type === 'DELETED') tools.loop.enqueue(keyOf(object))
    })
    tools.subscribe(KINDS.endpoints, ({ type, object }) => {
      if (type !== 'ADDED') tools.loop.enqueue(keyOf(object))
    })
  }

  reconcile(service: KubeObject): void {
    if (isDeleting(service)) this.reconcileGone(keyOf(service))
    else if (selectsPods(service)) this.#put(service)
  }

  reconcileGone(service: ObjectKey): void {
    const existing = this.#tools.api.get(KINDS.endpoints, service)
    if (!existing || !isOurs(existing)) return
    this.#tools.api.delete(KINDS.endpoints, service, { uid: existing.metadata.uid })
  }

  #put(service: KubeObject): void {
    const { api, clock } = this.#tools
    const { name, namespace } = service.metadata
    const existing = api.get(KINDS.endpoints, keyOf(service))
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
    if (!existing) {
      api.create(triggeredAt(object, clock.now()), CONTROLLER_MANAGER)
      return
    }
    const change = { items: subsets.flatMap(addressesOf), before: itemsAt(existing, 'subsets').flatMap(addressesOf) }
    api.update(withTriggerTime(object, change, clock.now()), CONTROLLER_MANAGER)
  }
}

function isOurs({ metadata }: KubeObject): boolean {
  return metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller'
}

/** One subset for pods with the same ports, addresses in order. */
function subsetsOf(service: KubeObject, backends: readonly Backend[]): readonly JsonObject[] {
  const present = backends.filter(({ terminating }) => !terminating)
  return groupByPorts(service, present).map(({ ports, backends: members }) => {
    const addressesOfState = (isReady: boolean): readonly JsonObject[] =>
      members
        .filter(({ ready }) => ready === isReady)
        .map((backend) => addressOf(backend, service))
        .sort(byIP)
    const addresses = addressesOfState(true)
    const notReadyAddresses = addressesOfState(false)
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

function addressOf(backend: Backend, service: KubeObject): JsonObject {
  const { pod, ip } = backend
  const { name, namespace, uid } = pod.metadata
  const targetRef = { kind: 'Pod', name, namespace, uid }
  return { ip, ...hostnameOf(backend, service), nodeName: specOf(pod).nodeName, targetRef }
}

function byIP(left: JsonObject, right: JsonObject): number {
  return textAt(left, 'ip') < textAt(right, 'ip') ? -1 : 1
}

function withoutEmptyName({ name, ...port }: BackendPort): JsonObject {
  return name === '' ? port : { name, ...port }
}
