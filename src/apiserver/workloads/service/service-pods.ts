import type { Clock } from '../../../base/clock.ts'
import { jsonEquals } from '../../../base/json.ts'
import type { Logger } from '../../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../kube/object.ts'
import { objectAt, textAt } from '../../kinds/common/fields.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'
import { KINDS } from '../common/known-kinds.ts'
import { LabelIndex } from '../common/label-index.ts'
import { byAge, isDeleting, specOf, statusOf } from '../common/objects.ts'
import { isFinished, isReady } from '../common/pod-state.ts'
import { ReconcileLoop } from '../common/reconcile-loop.ts'

/** A pod behind a Service. */
export interface Backend {
  readonly pod: KubeObject
  readonly ip: string
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
}

/** Tells of every Service whose pods, or whose own fields, may have changed. */
export class ServicePods {
  readonly stop: () => void
  readonly loop: ReconcileLoop
  readonly #pods: LabelIndex
  readonly #services: LabelIndex

  constructor(
    api: ObjectApi,
    clock: Clock,
    options: { reconcile: (key: ObjectKey) => void; logger: Logger | undefined },
  ) {
    this.loop = new ReconcileLoop(clock, options.reconcile, options.logger)
    const enqueue = (service: KubeObject): void => this.loop.enqueue(keyOf(service))
    this.#pods = new LabelIndex(api, KINDS.pod, (event) => this.#follow(event))
    this.#services = new LabelIndex(api, KINDS.service, ({ object }) => enqueue(object), selectorOf)
    for (const service of api.list(KINDS.service)) enqueue(service)
    this.stop = () => {
      this.#pods.stop()
      this.#services.stop()
      this.loop.stop()
    }
  }

  /** The oldest first. Pods without address, and those that have ended, are behind no Service. */
  of(service: KubeObject): readonly Backend[] {
    const publishes = specOf(service).publishNotReadyAddresses === true
    const pods = this.#pods.select(service.metadata.namespace ?? '', selectorOf(service))
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
    const namespace = object.metadata.namespace ?? ''
    for (const pod of old ? [object, old] : [object]) {
      for (const service of this.#services.coveredBy(namespace, pod.metadata.labels ?? {})) {
        this.loop.enqueue(keyOf(service))
      }
    }
  }
}

export function selectorOf(service: KubeObject): { readonly [name: string]: string } {
  return objectAt(specOf(service), 'selector') as { readonly [name: string]: string }
}

/** What of a pod decides about its place behind Services. */
function relevantParts(pod: KubeObject): readonly (string | boolean)[] {
  const labels = JSON.stringify(pod.metadata.labels ?? {})
  const node = textAt(specOf(pod), 'nodeName')
  return [labels, node, textAt(statusOf(pod), 'podIP'), isReady(pod), isFinished(pod), isDeleting(pod)]
}
