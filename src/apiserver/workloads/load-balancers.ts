import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { itemsAt, objectAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf } from './common/objects.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const MANAGER = 'cloud-controller-manager'
/** TEST-NET-3: leads nowhere, and looks like an address of the outside world. */
const PREFIX = '203.0.113.'

/** Gives Services of type LoadBalancer an address, as the controller of a cloud does. */
export function loadBalancerController(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: 'service-lb-controller',
    start(api, clock, logger) {
      const loop = new ReconcileLoop(clock, (key) => reconcile(api, key), logger)
      const enqueue = (service: KubeObject): void => {
        if (isWaiting(service)) loop.enqueueAfter(keyOf(service), stages.loadBalancerReady)
      }
      const unsubscribe = api.subscribe(KINDS.service, ({ type, object }) => type !== 'DELETED' && enqueue(object))
      api.list(KINDS.service).forEach(enqueue)
      return () => {
        unsubscribe()
        loop.stop()
      }
    },
  }
}

function reconcile(api: ObjectApi, key: ObjectKey): void {
  const service = api.get(KINDS.service, key)
  if (!service || !isWaiting(service)) return
  const ip = freeAddress(api)
  if (ip === undefined) return
  const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] }
  putStatus(api, service, { ...statusOf(service), loadBalancer }, MANAGER)
}

function isWaiting(service: KubeObject): boolean {
  const { type, loadBalancerClass } = specOf(service)
  const isOurs = type === 'LoadBalancer' && loadBalancerClass === undefined && !isDeleting(service)
  return isOurs && ingressOf(service).length === 0
}

function freeAddress(api: ObjectApi): string | undefined {
  const taken = new Set(api.list(KINDS.service).flatMap((service) => ingressOf(service).map(({ ip }) => ip)))
  const last = Array.from({ length: 254 }, (_, index) => index + 1).find((each) => !taken.has(`${PREFIX}${each}`))
  return last === undefined ? undefined : `${PREFIX}${last}`
}

function ingressOf(service: KubeObject): ReturnType<typeof itemsAt> {
  return itemsAt(objectAt(statusOf(service), 'loadBalancer'), 'ingress')
}
