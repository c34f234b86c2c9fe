import { type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { objectAt, textAt } from '../../kinds/common/fields.ts'
import type { ObjectEvent } from '../../object-api.ts'
import type { ControllerTools } from '../common/controller-tools.ts'
import { KINDS } from '../common/known-kinds.ts'
import { LabelIndex } from '../common/label-index.ts'
import { byAge, isDeleting, specOf, statusOf } from '../common/objects.ts'
import { isFinished, isReady } from '../common/pod-state.ts'
import type { ReconcileLoop } from '../common/reconcile-loop.ts'

/** A pod behind a Service. */
export interface Backend {
  readonly pod: KubeObject
  readonly ip: string
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
}

/** The pods behind Services. A change of one is a reason to look at every Service that it is, or was, behind. */
export class ServicePods {
  readonly #loop: ReconcileLoop
  readonly #pods: LabelIndex
  readonly #services: LabelIndex

  constructor(tools: ControllerTools) {
    const { api } = tools
    this.#loop = tools.loop
    this.#pods = new LabelIndex(api, KINDS.pod, (event) => this.#follow(event))
    this.#services = new LabelIndex(api, KINDS.service, () => undefined, selectorOf)
    tools.onStop(this.#pods.stop)
    tools.onStop(this.#services.stop)
  }

  /** The oldest first. Pods without address, and those that have ended, are behind no Service. */
  of(service: KubeObject): readonly Backend[] {
    const publishes = specOf(service).publishNotReadyAddresses === true
    const pods = this.#pods.select(keyOf(service).namespace, selectorOf(service))
    return [...pods].sort(byAge).flatMap((pod) => {
      const ip = textAt(statusOf(pod), 'podIP')
      if (ip === '' || isFinished(pod)) return []
      const terminating = isDeleting(pod)
      const serving = publishes || isReady(pod)
      return [{ pod, ip, serving, terminating, ready: publishes || (serving && !terminating) }]
    })
  }

  #follow({ object, old, type }: ObjectEvent): void {
    const isSame = type === 'MODIFIED' && old && jsonEquals(relevantParts(object), relevantParts(old))
    if (isSame) return
    const namespace = keyOf(object).namespace
    for (const pod of old ? [object, old] : [object]) {
      for (const service of this.#services.coveredBy(namespace, pod.metadata.labels ?? {})) {
        this.#loop.enqueue(keyOf(service))
      }
    }
  }
}

function selectorOf(service: KubeObject): { readonly [name: string]: string } {
  return objectAt(specOf(service), 'selector') as { readonly [name: string]: string }
}

/** Whether a Service manages who is behind it by pods; else people write down its endpoints, or it has none. */
export function selectsPods(service: KubeObject): boolean {
  return Object.keys(selectorOf(service)).length > 0 && specOf(service).type !== 'ExternalName'
}

/** The name that DNS has for a pod below that of its Service. */
export function hostnameOf({ pod }: Backend, service: KubeObject): { readonly hostname?: JsonValue } {
  const { hostname, subdomain } = specOf(pod)
  return hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}
}

/** What of a pod decides about its place behind Services. */
function relevantParts(pod: KubeObject): readonly (string | boolean)[] {
  const labels = JSON.stringify(pod.metadata.labels ?? {})
  const node = textAt(specOf(pod), 'nodeName')
  return [labels, node, textAt(statusOf(pod), 'podIP'), isReady(pod), isFinished(pod), isDeleting(pod)]
}
