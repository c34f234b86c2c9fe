import type { KubeObject } from '../../../core/kube/object.ts'
import { itemsAt, objectAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf } from './common/objects.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const MANAGER = 'cloud-controller-manager'
/** TEST-NET-3: leads nowhere, and looks like an address of the outside world. */
const PREFIX = '203.0.113.'

/** Gives Services of type LoadBalancer an address, as the controller of a cloud does. */
export function loadBalancerController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'service-lb-controller',
    kind: KINDS.service,
    delayOf: (service) => (isWaiting(service) ? stages.loadBalancerReady : undefined),
    reconciler: ({ api }) => ({ reconcile: (service) => giveAddress(api, service) }),
  })
}

function giveAddress(api: ObjectApi, service: KubeObject): void {
  const ip = freeAddress(api)
  const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] }
  putStatus(api, service, { ...statusOf(service), loadBalancer }, MANAGER)
}

function isWaiting(service: KubeObject): boolean {
  const { type, loadBalancerClass } = specOf(service)
  const isOurs = type === 'LoadBalancer' && loadBalancerClass === undefined && !isDeleting(service)
  return isOurs && ingressOf(service).length === 0
}

/** Throws when all are taken; the controller tries again later. */
function freeAddress(api: ObjectApi): string {
  const taken = new Set(api.list(KINDS.service).flatMap((service) => ingressOf(service).map(({ ip }) => ip)))
  const all = Array.from({ length: 254 }, (_, index) => `${PREFIX}${index + 1}`)
  const free = all.find((each) => !taken.has(each))
  if (free === undefined) throw new Error(`cannot give an address: all ${all.length} are taken`)
  return free
}

function ingressOf(service: KubeObject): ReturnType<typeof itemsAt> {
  return itemsAt(objectAt(statusOf(service), 'loadBalancer'), 'ingress')
}
