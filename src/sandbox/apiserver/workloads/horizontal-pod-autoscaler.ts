import type { JsonObject } from '../../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import type { EventText } from './common/event-correlator.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, timestamp } from './common/objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { complaintAbout, type MetricComplaint } from './horizontal-pod-autoscaler/metric-complaints.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** What can be scaled: the sandbox looks at its own kinds only. */
const TARGETS: readonly (readonly [kind: Gvk, resource: string])[] = [
  [KINDS.deployment, 'deployments.apps'],
  [KINDS.replicaSet, 'replicasets.apps'],
  [KINDS.statefulSet, 'statefulsets.apps'],
  [KINDS.replicationController, 'replicationcontrollers'],
]

/** Keeps replicas within the bounds of their autoscaler. There are no metrics here, as in a cluster without their server. */
export function autoscalerController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'horizontal-pod-autoscaler',
    kind: KINDS.autoscaler,
    reconciler: (tools) => new AutoscalerReconciler(tools),
  })
}

/** In whichever version: a scale is the same in all of them. */
function isOfKind({ apiVersion = '', kind }: JsonObject, wanted: Gvk): boolean {
  return kind === wanted.kind && gvkOf({ apiVersion: String(apiVersion), kind }).group === wanted.group
}

class AutoscalerReconciler implements KindReconciler {
  readonly #tools: ControllerTools

  constructor(tools: ControllerTools) {
    this.#tools = tools
    for (const [kind] of TARGETS) {
      tools.subscribe(kind, ({ object }) => {
        const { name, namespace } = keyOf(object)
        for (const scaler of tools.api.list(KINDS.autoscaler, { namespace })) {
          const target = objectAt(specOf(scaler), 'scaleTargetRef')
          if (isOfKind(target, kind) && target.name === name) tools.loop.enqueue(keyOf(scaler))
        }
      })
    }
  }

  reconcile(scaler: KubeObject): void {
    if (isDeleting(scaler)) return
    const reference = objectAt(specOf(scaler), 'scaleTargetRef')
    const known = TARGETS.find(([kind]) => isOfKind(reference, kind))
    if (!known) return
    const [kind, resource] = known
    const target = this.#tools.api.get(kind, { namespace: keyOf(scaler).namespace, name: textAt(reference, 'name') })
    if (target) this.#scale(scaler, target)
    else this.#fail(scaler, `${resource} ${JSON.stringify(reference.name)} not found`)
  }

  #fail(scaler: KubeObject, cause: string): void {
    const message = `the HPA controller was unable to get the target's current scale: ${cause}`
    const condition = this.#condition(scaler, {
      type: 'AbleToScale',
      status: 'False',
      reason: 'FailedGetScale',
      message,
    })
    const text = { type: 'Warning', reason: 'FailedGetScale', message: cause } as const
    this.#put(scaler, { conditions: [condition] }, [text])
  }

  #scale(scaler: KubeObject, target: KubeObject): void {
    const { minReplicas = 1, maxReplicas = 1 } = specOf(scaler)
    const replicas = numberAt(specOf(target), 'replicas')
    const [min, max] = [Number(minReplicas), Number(maxReplicas)]
    if (replicas === 0 && min > 0) this.#disable(scaler)
    else if (replicas > max) this.#resize(scaler, target, { to: max, because: 'above Spec.MaxReplicas' })
    else if (replicas < min) this.#resize(scaler, target, { to: min, because: 'below Spec.MinReplicas' })
    else this.#complain(scaler, target)
  }

  #disable(scaler: KubeObject): void {
    const message = 'scaling is disabled since the replica count of the target is zero'
    const inactive = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message }
    this.#put(scaler, { conditions: [this.#able(scaler), this.#condition(scaler, inactive)] })
  }

  #resize(
    scaler: KubeObject,
    target: KubeObject,
    { to, because }: { readonly to: number; readonly because: string },
  ): void {
    const currentReplicas = numberAt(statusOf(target), 'replicas')
    this.#tools.api.update({ ...target, spec: { ...specOf(target), replicas: to } }, CONTROLLER_MANAGER)
    const message = `the HPA controller was able to update the target scale to ${to}`
    const able = this.#condition(scaler, { type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message })
    const lastScaleTime = timestamp(this.#tools.clock.now())
    this.#put(scaler, { conditions: [able], currentReplicas, desiredReplicas: to, lastScaleTime })
    const size = `New size: ${to}; reason: Current number of replicas ${because}`
    this.#tools.events.record(scaler, { reason: 'SuccessfulRescale', message: size })
  }

  /** The value of a metric without a source is unknown. */
  #complain(scaler: KubeObject, target: KubeObject): void {
    const metrics = itemsAt(specOf(scaler), 'metrics')
    const complaints = metrics.map((metric) => complaintAbout(metric, keyOf(scaler).namespace))
    const [{ reason, cause, whole }] = complaints as [MetricComplaint, ...MetricComplaint[]]
    const message = `the HPA was unable to compute the replica count: ${cause}`
    const inactive = this.#condition(scaler, { type: 'ScalingActive', status: 'False', reason, message })
    const change = {
      conditions: [this.#able(scaler), inactive],
      currentReplicas: numberAt(statusOf(target), 'replicas'),
      currentMetrics: metrics.map(() => ({ type: '' })),
    }
    const count = `${metrics.length} invalid out of ${metrics.length}`
    this.#put(scaler, change, [
      ...complaints.map((one): EventText => ({ type: 'Warning', reason: one.reason, message: one.cause })),
      {
        type: 'Warning',
        reason: 'FailedComputeMetricsReplicas',
        message: `invalid metrics (${count}), first error is: ${whole}`,
      },
    ])
  }

  #able(scaler: KubeObject): JsonObject {
    const message = "the HPA controller was able to get the target's current scale"
    return this.#condition(scaler, { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message })
  }

  #condition(scaler: KubeObject, condition: JsonObject): JsonObject {
    const old = conditionOf(scaler, textAt(condition, 'type'))
    const isSame = old?.status === condition.status
    return { ...condition, lastTransitionTime: isSame ? old?.lastTransitionTime : timestamp(this.#tools.clock.now()) }
  }

  /** Writes the status. Events report it when the reason of the first was not in the status before. */
  #put(scaler: KubeObject, change: JsonObject, texts: readonly EventText[] = []): void {
    const { currentReplicas = 0, ...status } = { ...statusOf(scaler), ...change }
    const next = currentReplicas === 0 ? status : { ...status, currentReplicas }
    const isKnown = itemsAt(statusOf(scaler), 'conditions').some(({ reason }) => reason === texts[0]?.reason)
    putStatus(this.#tools.api, scaler, next)
    if (!isKnown) for (const text of texts) this.#tools.events.record(scaler, text)
  }
}
