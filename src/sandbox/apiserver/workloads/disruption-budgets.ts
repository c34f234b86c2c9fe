import type { JsonObject } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, type LabelSelector } from '../../../core/kube/label-selector.ts'
import { type KubeObject, keyOf, type OwnerReference } from '../../../core/kube/object.ts'
import { itemsAt, numberAt } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, timestamp, uidOf } from './common/objects.ts'
import { isReady } from './common/pod-state.ts'
import { share } from './deployment/replica-counts.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Writes down how many of the Pods of a PodDisruptionBudget may be evicted. */
export function disruptionBudgetController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'disruption-controller',
    kind: KINDS.disruptionBudget,
    component: 'controllermanager',
    reconciler: (tools) => new DisruptionBudgetReconciler(tools),
  })
}

interface Counts {
  readonly expectedPods: number
  readonly desiredHealthy: number
}

class DisruptionBudgetReconciler implements KindReconciler {
  readonly #tools: ControllerTools

  constructor(tools: ControllerTools) {
    this.#tools = tools
    tools.subscribe(KINDS.pod, ({ object }) => {
      const { namespace } = keyOf(object)
      for (const budget of tools.api.list(KINDS.disruptionBudget, { namespace })) tools.loop.enqueue(keyOf(budget))
    })
  }

  reconcile(budget: KubeObject): void {
    const pods = this.#podsOf(budget)
    if (pods.length === 0) this.#tools.events.record(budget, { reason: 'NoPods', message: 'No matching pods found' })
    const counts = this.#counts(specOf(budget), pods)
    const currentHealthy = pods.filter((pod) => isReady(pod) && !isDeleting(pod)).length
    const allowed = counts.expectedPods === 0 ? 0 : Math.max(0, currentHealthy - counts.desiredHealthy)
    const { generation = 0 } = budget.metadata
    putStatus(this.#tools.api, budget, {
      ...statusOf(budget),
      ...counts,
      currentHealthy,
      disruptionsAllowed: allowed,
      observedGeneration: generation,
      conditions: [this.#condition(budget, allowed > 0)],
    })
  }

  #condition(budget: KubeObject, isAllowed: boolean): JsonObject {
    const status = isAllowed ? 'True' : 'False'
    const [last] = itemsAt(statusOf(budget), 'conditions')
    const isSame = last?.status === status
    return {
      type: 'DisruptionAllowed',
      status,
      observedGeneration: budget.metadata.generation ?? 0,
      lastTransitionTime: (isSame && last.lastTransitionTime) || timestamp(this.#tools.clock.now()),
      reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    }
  }

  #podsOf(budget: KubeObject): readonly KubeObject[] {
    const { selector } = specOf(budget)
    if (selector === undefined) return []
    const labels = compileLabelSelector(selector as LabelSelector)
    return this.#tools.api.list(KINDS.pod, { namespace: keyOf(budget).namespace, labels })
  }

  /** A number of Pods that must be there is of the Pods that are; all else is of those that should be. */
  #counts({ minAvailable, maxUnavailable }: JsonObject, pods: readonly KubeObject[]): Counts {
    if (maxUnavailable === undefined && typeof minAvailable === 'number') {
      return { expectedPods: pods.length, desiredHealthy: minAvailable }
    }
    const expectedPods = this.#wanted(pods)
    const desiredHealthy =
      maxUnavailable === undefined
        ? share(minAvailable, expectedPods, Math.ceil)
        : Math.max(0, expectedPods - share(maxUnavailable, expectedPods, Math.ceil))
    return { expectedPods, desiredHealthy }
  }

  /** How many Pods their controllers ask for. */
  #wanted(pods: readonly KubeObject[]): number {
    const controllers = new Map<string, KubeObject>()
    for (const pod of pods) {
      const controller = this.#controllerOf(pod)
      if (controller) controllers.set(uidOf(controller), controller)
    }
    return [...controllers.values()].reduce((sum, controller) => sum + numberAt(specOf(controller), 'replicas'), 0)
  }

  /** That of a Deployment's ReplicaSet is the Deployment. */
  #controllerOf(object: KubeObject): KubeObject | undefined {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
    const kind = owner && SCALED[owner.kind]
    if (!kind) return undefined
    const found = this.#tools.api.get(kind, { ...keyOf(object), name: (owner as OwnerReference).name })
    if (!found || uidOf(found) !== owner?.uid) return undefined
    return this.#controllerOf(found) ?? found
  }
}

const SCALED: Readonly<Record<string, Gvk>> = {
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  Deployment: KINDS.deployment,
}
