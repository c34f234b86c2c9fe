import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { conditionsOf, findCondition } from './condition.ts'
import { formatGroupKind, gvkOf } from './group-version-kind.ts'
import type { KubeObject } from './object.ts'

/** Whether an object has reached what its spec says: kstatus in three words. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'notReady'; readonly message: string }
  /** Its status is about a former generation, and reports no failure: its controller has not seen the present one yet. */
  | { readonly kind: 'unobserved'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

/** Messages say counts and states, never names of objects: whoever prints them knows which object it is. */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return notReady('it is being deleted')
  const view = new View(object)
  const rule = RULES[formatGroupKind(gvkOf(object))] ?? custom
  const said = generic(view) ?? rule(object, view)
  if (!view.isOutdated) return said
  return said.kind === 'failed' ? notReady(UNSEEN) : unobserved(UNSEEN)
}

/** What holds for every kind, whatever its own rules: the conditions that kstatus defines. */
function generic(view: View): Readiness | undefined {
  const reconciling = view.condition('Reconciling')
  if (reconciling?.status === 'True') return notReady(`it is reconciling${reasonOf(reconciling)}`)
  const stalled = view.condition('Stalled')
  return stalled?.status === 'True' ? failed(`it is stalled${reasonOf(stalled)}`) : undefined
}

function reasonOf({ reason }: { readonly reason: string }): string {
  return reason === '' ? '' : `: ${reason}`
}

const ready: Readiness = { kind: 'ready' }
const notReady = (message: string): Readiness => ({
  kind: 'notReady',
  message,
})
const unobserved = (message: string): Readiness => ({ kind: 'unobserved', message })
const failed = (message: string): Readiness => ({ kind: 'failed', message })

const UNSEEN = 'its controller has not seen it yet'

type Rule = (object: KubeObject, view: View) => Readiness

const RULES: Readonly<Record<string, Rule>> = {
  'Deployment.apps': observed(deployment),
  'StatefulSet.apps': observed(statefulSet),
  'DaemonSet.apps': observed(daemonSet),
  'ReplicaSet.apps': observed(replicaSet),
  Pod: pod,
  'Job.batch': job,
  Service: service,
  'PodDisruptionBudget.policy': observed(podDisruptionBudget),
  PersistentVolumeClaim: phase('Bound'),
  Namespace: phase('Active'),
  'CustomResourceDefinition.apiextensions.k8s.io': customResourceDefinition,
}

/** What the rules ask an object. */
class View {
  readonly spec: JsonObject
  readonly status: JsonObject
  readonly #object: KubeObject

  constructor(object: KubeObject) {
    this.#object = object
    this.spec = objectOf(object.spec)
    this.status = objectOf(object.status)
  }

  count(field: string): number {
    return numberOf(this.status[field]) ?? 0
  }

  /** `spec.replicas`, which defaults to 1. */
  get wanted(): number {
    return numberOf(this.spec.replicas) ?? 1
  }

  condition(type: string):
    | {
        readonly status: string
        readonly reason: string
        readonly message: string
        readonly observedGeneration: number | undefined
      }
    | undefined {
    const condition = findCondition(conditionsOf(this.#object), type)
    return (
      condition && {
        status: condition.status,
        reason: condition.reason ?? '',
        message: condition.message ?? '',
        observedGeneration: condition.observedGeneration,
      }
    )
  }

  /** Whether the controller has seen any generation. */
  get isObserved(): boolean {
    return numberOf(this.status.observedGeneration) !== undefined
  }

  /** Whether the status says that it is about a former generation. */
  get isOutdated(): boolean {
    return this.isFormer(numberOf(this.status.observedGeneration))
  }

  isFormer(observedGeneration: number | undefined): boolean {
    return observedGeneration !== undefined && observedGeneration < this.#generation
  }

  get #generation(): number {
    return this.#object.metadata.generation ?? 0
  }
}

/** A rule for kinds whose controller always says which generation its status is about. */
function observed(rule: Rule): Rule {
  return (object, view) => (view.isObserved ? rule(object, view) : notReady(UNSEEN))
}

function deployment(_object: KubeObject, view: View): Readiness {
  const { wanted } = view
  const progressing = view.condition('Progressing')
  if (progressing?.reason === 'ProgressDeadlineExceeded') return failed('its rollout exceeded the progress deadline')
  if (view.count('replicas') < wanted) return replicas(view.count('replicas'), wanted)
  if (view.count('updatedReplicas') < wanted) return updated(view.count('updatedReplicas'), wanted)
  if (view.count('readyReplicas') < wanted) return replicas(view.count('readyReplicas'), wanted)
  if (view.count('replicas') > wanted) return notReady(`${view.count('replicas') - wanted} old replicas still exist`)
  if (view.count('availableReplicas') < wanted) return replicas(view.count('availableReplicas'), wanted)
  return view.condition('Available')?.status === 'False' ? notReady('it is not available') : ready
}

function statefulSet(_object: KubeObject, view: View): Readiness {
  const { wanted, spec, status } = view
  const strategy = objectOf(spec.updateStrategy)
  if (view.count('readyReplicas') < wanted) return replicas(view.count('readyReplicas'), wanted)
  if (view.count('replicas') > wanted) return notReady(`${view.count('replicas') - wanted} old replicas still exist`)
  if (strategy.type === 'OnDelete') return ready
  const partition = numberOf(objectOf(strategy.rollingUpdate).partition) ?? 0
  const toUpdate = Math.max(0, wanted - partition)
  if (view.count('updatedReplicas') < toUpdate) return updated(view.count('updatedReplicas'), toUpdate)
  const isRolledOut = partition > 0 || status.currentRevision === status.updateRevision
  return isRolledOut ? ready : notReady('its new revision is being rolled out')
}

function daemonSet(_object: KubeObject, view: View): Readiness {
  const wanted = view.count('desiredNumberScheduled')
  if (view.count('updatedNumberScheduled') < wanted) return updated(view.count('updatedNumberScheduled'), wanted)
  if (view.count('numberAvailable') < wanted) return replicas(view.count('numberAvailable'), wanted)
  return view.count('numberReady') < wanted ? replicas(view.count('numberReady'), wanted) : ready
}

function replicaSet(_object: KubeObject, view: View): Readiness {
  const { wanted } = view
  const failure = view.condition('ReplicaFailure')
  if (failure?.status === 'True') return notReady(`it cannot make pods: ${failure.reason}`)
  const reached = Math.min(view.count('readyReplicas'), view.count('availableReplicas'))
  if (reached < wanted) return replicas(reached, wanted)
  return view.count('replicas') > wanted
    ? notReady(`${view.count('replicas') - wanted} old replicas still exist`)
    : ready
}

function pod(_object: KubeObject, view: View): Readiness {
  const phase = view.status.phase
  if (phase === 'Succeeded') return ready
  if (phase === 'Failed') return failed('its phase is Failed')
  if (view.condition('Ready')?.status === 'True') return ready
  return notReady(`its phase is ${typeof phase === 'string' ? phase : 'Pending'}, and it is not ready`)
}

function job(_object: KubeObject, view: View): Readiness {
  if (view.condition('Failed')?.status === 'True') return failed('it has failed')
  return view.condition('Complete')?.status === 'True' ? ready : notReady('it is not complete')
}

function service(_object: KubeObject, view: View): Readiness {
  if (view.spec.type !== 'LoadBalancer') return ready
  const ingress = objectOf(view.status.loadBalancer).ingress
  return isJsonArray(ingress) && ingress.length > 0 ? ready : notReady('its load balancer has no address yet')
}

function phase(wanted: string): Rule {
  return (_object, { status }) => {
    const found = status.phase
    return found === wanted ? ready : notReady(`its phase is ${typeof found === 'string' ? found : 'unknown'}`)
  }
}

function customResourceDefinition(_object: KubeObject, view: View): Readiness {
  const names = view.condition('NamesAccepted')
  if (names?.status === 'False') return failed(`its names are not accepted: ${names.reason}`)
  return view.condition('Established')?.status === 'True' ? ready : notReady('it is not established')
}

/** As many pods are healthy as the budget wants, also where it allows no disruption at all. */
function podDisruptionBudget(_object: KubeObject, view: View): Readiness {
  const [healthy, wanted] = [view.count('currentHealthy'), view.count('desiredHealthy')]
  return healthy >= wanted ? ready : notReady(`${healthy} of ${wanted} pods are healthy`)
}

/**
 * Everything else: by its `Ready` condition when it has one, else ready at once. Where the status has no generation of its own,
 * as with cert-manager and the Gateway API, that of the condition says whether it is about the present spec.
 */
function custom(_object: KubeObject, view: View): Readiness {
  const condition = view.condition('Ready')
  if (condition === undefined) return ready
  if (view.isFormer(condition.observedGeneration)) return unobserved(UNSEEN)
  return condition.status === 'True' ? ready : notReady(`it is not ready${reasonOf(condition)}`)
}

function replicas(count: number, wanted: number): Readiness {
  return notReady(`${count} of ${wanted} replicas`)
}

function updated(count: number, wanted: number): Readiness {
  return notReady(`${count} of ${wanted} replicas are updated`)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
