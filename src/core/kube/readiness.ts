import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { type Condition, conditionsOf, findCondition } from './condition.ts'
import { formatGroupKind, gvkOf } from './group-version-kind.ts'
import type { KubeObject } from './object.ts'

/** Whether an object has reached what its spec says: kstatus in three words. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'notReady'; readonly message: string }
  /** Its status is about a former generation, and reports no failure: its controller has not seen the present one yet. */
  | { readonly kind: 'unobserved'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

/** Messages say counts and states, never names of objects: the caller knows which object it is. */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return notReady('it is being deleted')
  const view = new View(object)
  const rule = RULES[formatGroupKind(gvkOf(object))] ?? custom
  const said = generic(view) ?? rule(object, view)
  if (!view.isOutdated) return said
  return said.kind === 'failed' ? notReady(UNSEEN) : unobserved(UNSEEN)
}

/** The conditions that kstatus defines come before the rules of each kind. The first one that is true counts. */
function generic(view: View): Readiness | undefined {
  const standard = view.firstTrue(['Reconciling', 'Stalled'])
  if (standard === undefined) return undefined
  if (standard.type === 'Reconciling') return notReady(`it is reconciling${reasonOf(standard)}`)
  // The present spec may have repaired what stalled, and a failure says that a person is needed.
  return view.isOther(standard.observedGeneration) ? notReady(UNSEEN) : failed(`it is stalled${reasonOf(standard)}`)
}

function reasonOf({ reason = '' }: Condition): string {
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
  ConfigMap: always,
  Secret: always,
  'CronJob.batch': always,
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

  condition(type: string): Condition | undefined {
    return findCondition(conditionsOf(this.#object), type)
  }

  /** The first in the list of these conditions that is true. */
  firstTrue(types: readonly string[]): Condition | undefined {
    return conditionsOf(this.#object).find(({ type, status }) => status === 'True' && types.includes(type))
  }

  /** Whether the status says which generation it is about. */
  get isReported(): boolean {
    return numberOf(this.status.observedGeneration) !== undefined
  }

  /** Whether the status says that it is about another generation than the present one. */
  get isOutdated(): boolean {
    return this.isOther(this.status.observedGeneration)
  }

  /** A later one is no better than a former one: objects that were restored begin to count anew. */
  isOther(value: JsonValue | undefined): boolean {
    const { generation } = this.#object.metadata
    const observedGeneration = numberOf(value)
    return observedGeneration !== undefined && generation !== undefined && observedGeneration !== generation
  }
}

/** A rule for kinds whose controller always says which generation its status is about. */
function observed(rule: Rule): Rule {
  return (object, view) => (view.isReported ? rule(object, view) : notReady(UNSEEN))
}

function always(): Readiness {
  return ready
}

function deployment(_object: KubeObject, view: View): Readiness {
  const { wanted } = view
  const progressing = view.condition('Progressing')
  const [current, made, available] = [
    view.count('replicas'),
    view.count('updatedReplicas'),
    view.count('availableReplicas'),
  ]
  if (progressing?.reason === 'ProgressDeadlineExceeded') return failed('its rollout exceeded the progress deadline')
  if (current < wanted) return replicas(current, wanted)
  if (made < wanted) return updated(made, wanted)
  if (view.count('readyReplicas') < wanted) return replicas(view.count('readyReplicas'), wanted)
  if (current > wanted) return notReady(`${current - wanted} old replicas still exist`)
  if (available < made) return replicas(available, made)
  if (!isRolledOut(view, progressing)) return notReady('its rollout has not come to its end')
  return view.condition('Available')?.status === 'True' ? ready : notReady('it is not available')
}

/** Its controller says so only of a Deployment with a deadline, which is every one that the API server has defaulted. */
function isRolledOut({ spec }: View, progressing: Condition | undefined): boolean {
  const deadline = numberOf(spec.progressDeadlineSeconds) ?? NO_DEADLINE
  return deadline === NO_DEADLINE || (progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable')
}

/** What the Deployment controller takes for none: the greatest 32-bit integer. */
const NO_DEADLINE = 2 ** 31 - 1

function statefulSet(_object: KubeObject, view: View): Readiness {
  const { wanted, spec, status } = view
  const strategy = objectOf(spec.updateStrategy)
  const reached = Math.min(view.count('replicas'), view.count('readyReplicas'))
  if (reached < wanted) return replicas(reached, wanted)
  if (view.count('replicas') > wanted) return notReady(`${view.count('replicas') - wanted} old replicas still exist`)
  if (strategy.type === 'OnDelete') return ready
  const partition = numberOf(objectOf(strategy.rollingUpdate).partition)
  if (partition !== undefined) {
    const toUpdate = wanted - partition
    return view.count('updatedReplicas') < toUpdate ? updated(view.count('updatedReplicas'), toUpdate) : ready
  }
  if (view.count('currentReplicas') < wanted) return updated(view.count('currentReplicas'), wanted)
  return status.currentRevision === status.updateRevision ? ready : notReady('its new revision is being rolled out')
}

function daemonSet(_object: KubeObject, view: View): Readiness {
  const wanted = numberOf(view.status.desiredNumberScheduled)
  if (wanted === undefined) return notReady(UNSEEN)
  const scheduled = view.count('currentNumberScheduled')
  if (scheduled < wanted) return replicas(scheduled, wanted)
  if (view.count('updatedNumberScheduled') < wanted) return updated(view.count('updatedNumberScheduled'), wanted)
  if (view.count('numberAvailable') < wanted) return replicas(view.count('numberAvailable'), wanted)
  return view.count('numberReady') < wanted ? replicas(view.count('numberReady'), wanted) : ready
}

function replicaSet(_object: KubeObject, view: View): Readiness {
  const { wanted } = view
  const failure = view.condition('ReplicaFailure')
  if (failure?.status === 'True') return notReady(`it cannot make pods${reasonOf(failure)}`)
  const counts = ['readyReplicas', 'availableReplicas', 'fullyLabeledReplicas']
  const reached = Math.min(...counts.map((field) => view.count(field)))
  if (reached < wanted) return replicas(reached, wanted)
  return view.count('replicas') > wanted
    ? notReady(`${view.count('replicas') - wanted} old replicas still exist`)
    : ready
}

/** A crash loop and a lack of nodes may heal by themselves: they are said, and are no failure. */
function pod(_object: KubeObject, view: View): Readiness {
  const phase = view.status.phase
  if (phase === 'Succeeded') return ready
  if (phase === 'Failed') return failed('its phase is Failed')
  if (phase === 'Running' && view.condition('Ready')?.status === 'True') return ready
  const scheduled = view.condition('PodScheduled')
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') return notReady('it cannot be scheduled')
  if (isCrashLooping(view.status.containerStatuses)) return notReady('a container of it is in CrashLoopBackOff')
  return notReady(`its phase is ${typeof phase === 'string' ? phase : 'Pending'}, and it is not ready`)
}

function isCrashLooping(statuses: JsonValue | undefined): boolean {
  const states = isJsonArray(statuses) ? statuses.map((status) => objectOf(objectOf(status).state)) : []
  return states.some(({ waiting }) => objectOf(waiting).reason === 'CrashLoopBackOff')
}

function job(_object: KubeObject, view: View): Readiness {
  if (view.condition('Failed')?.status === 'True') return failed('it has failed')
  return view.condition('Complete')?.status === 'True' ? ready : notReady('it is not complete')
}

function service(_object: KubeObject, view: View): Readiness {
  if (view.spec.type !== 'LoadBalancer') return ready
  if ((view.spec.clusterIP ?? '') === '') return notReady('it has no cluster IP yet')
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
  if (names?.status === 'False') return failed(`its names are not accepted${reasonOf(names)}`)
  const established = view.condition('Established')
  if (established?.status === 'True') return ready
  const isRefused = established?.status === 'False' && established.reason !== 'Installing'
  return isRefused ? failed(`it is not established${reasonOf(established)}`) : notReady('it is not established')
}

/**
 * As many pods are healthy as the budget wants, also where it allows no disruption at all. It can want more than there are to
 * be, as when its Deployment is scaled to nothing.
 */
function podDisruptionBudget(_object: KubeObject, view: View): Readiness {
  const wanted = Math.min(view.count('desiredHealthy'), view.count('expectedPods'))
  const healthy = view.count('currentHealthy')
  return healthy >= wanted ? ready : notReady(`${healthy} of ${wanted} pods are healthy`)
}

/**
 * Everything else: by its `Ready` condition when it has one, else ready at once. Where the status has no generation of its own,
 * as with cert-manager and the Gateway API, that of the condition says whether it is about the present spec.
 */
function custom(_object: KubeObject, view: View): Readiness {
  const condition = view.condition('Ready')
  if (condition === undefined) return ready
  if (view.isOther(condition.observedGeneration)) return unobserved(UNSEEN)
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
