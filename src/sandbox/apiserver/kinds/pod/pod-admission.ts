import type { JsonObject } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { forbidden } from '../../api-status.ts'
import { randomIdentities } from '../../write/identities.ts'
import { checkPathSegment } from '../../write/names.ts'
import { itemsAt, mapItems, numberAt, objectAt, textAt } from '../common/fields.ts'
import type { KindContext } from '../kind-rules.ts'
import { SYSTEM_PRIORITIES } from '../priority-class.ts'
import { checkOverhead, withRuntimeClass } from './runtime-class-admission.ts'

const PODS = { group: '', plural: 'pods' }

/**
 * What the admission plugins that are always on make of a new pod: its service account with a token, tolerations of nodes
 * that are away for a moment, its priority, what its RuntimeClass asks for.
 *
 * @throws ApiError 403 when the service account, the priority class or the runtime class does not exist
 */
export function admitPod(object: KubeObject, context: KindContext): KubeObject {
  const level = priorityOf(object, context)
  checkPriority(object, level)
  const spec = { ...withServiceAccount(object, context), ...level }
  const tolerant = withTolerations({ ...object, spec })
  return { ...tolerant, spec: withRuntimeClass(objectAt(tolerant, 'spec'), context, refusalOf(object)) }
}

/**
 * What admission has to say of a new pod that is valid.
 *
 * @throws ApiError 403
 */
export function checkAdmitted(object: KubeObject, context: KindContext): void {
  checkOverhead(objectAt(object, 'spec'), context, refusalOf(object))
}

function refusalOf(object: KubeObject): (cause: string) => Error {
  return (cause) => forbidden(PODS, nameAtAdmission(object), cause)
}

/** Admission comes before the end of a generated name is made. */
function nameAtAdmission({ metadata: { name = '', generateName = '' } }: KubeObject): string {
  const isGenerated = generateName !== '' && name.startsWith(generateName) && name.length === generateName.length + 5
  return isGenerated ? generateName : name
}

function withServiceAccount(object: KubeObject, { objects, settings }: KindContext): JsonObject {
  const spec = objectAt(object, 'spec')
  if (!settings.admitsServiceAccounts) return spec
  const name = textAt(spec, 'serviceAccountName') || 'default'
  const { namespace } = keyOf(object)
  const account = objects.get({ group: '', version: 'v1', kind: 'ServiceAccount' }, { namespace, name })
  // The default one is made with its namespace, a moment later: a pod need not wait for it.
  if (!account && name !== 'default') {
    const complaints = checkPathSegment(name)
    const invalid = `invalid resource name ${JSON.stringify(name)}: [${complaints.join(' ')}]`
    const cause = complaints.length > 0 ? invalid : `serviceaccount "${name}" not found`
    const text = `error looking up service account ${namespace}/${name}: ${cause}`
    throw forbidden(PODS, nameAtAdmission(object), text)
  }
  const named = { ...spec, serviceAccountName: name, serviceAccount: name }
  const pullSecrets = spec.imagePullSecrets ?? account?.imagePullSecrets
  const complete = pullSecrets === undefined ? named : { ...named, imagePullSecrets: pullSecrets }
  const mounts = spec.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true
  return mounts === true ? withToken(complete) : complete
}

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A volume with the account's token, mounted where a container has nothing at that path yet. */
function withToken(spec: JsonObject): JsonObject {
  const all = [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'containers')]
  if (all.every(hasTokenMount)) return spec
  const name = randomIdentities.nameFor('kube-api-access-')
  const mount = { name, readOnly: true, mountPath: TOKEN_PATH }
  const addMount = (container: JsonObject): JsonObject =>
    hasTokenMount(container)
      ? container
      : { ...container, volumeMounts: [...itemsAt(container, 'volumeMounts'), mount] }
  const mounted = mapItems(mapItems(spec, 'containers', addMount), 'initContainers', addMount)
  return { ...mounted, volumes: [...itemsAt(spec, 'volumes'), tokenVolume(name)] }
}

function hasTokenMount(container: JsonObject): boolean {
  return itemsAt(container, 'volumeMounts').some((mount) => mount.mountPath === TOKEN_PATH)
}

function tokenVolume(name: string): JsonObject {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [namespace] } },
  ]
  return { name, projected: { sources, defaultMode: 420 } }
}

/** A writer need not repeat what admission has said of the priority of a pod. */
export function keepPriority(object: KubeObject, old: KubeObject): KubeObject {
  const { priority, preemptionPolicy } = objectAt(old, 'spec')
  const kept = {
    ...(priority !== undefined && { priority }),
    ...(preemptionPolicy !== undefined && { preemptionPolicy }),
  }
  return { ...object, spec: { ...kept, ...objectAt(object, 'spec') } }
}

/** A node that is away for a moment does not cost a pod its life: added on every write that lacks them. */
export function withTolerations(object: KubeObject): KubeObject {
  const spec = objectAt(object, 'spec')
  const given = itemsAt(spec, 'tolerations')
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !given.some((toleration) => tolerates(toleration, key)),
  )
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return added.length === 0 ? object : { ...object, spec: { ...spec, tolerations: [...given, ...added] } }
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const isKey = toleration.key === key || toleration.key === undefined
  return isKey && (toleration.effect === 'NoExecute' || toleration.effect === undefined)
}

function priorityOf(object: KubeObject, { objects }: KindContext): JsonObject {
  const gvk = { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' }
  const name = textAt(objectAt(object, 'spec'), 'priorityClassName')
  if (name === '') {
    const [general] = objects
      .list(gvk)
      .filter((each) => each.globalDefault === true)
      .sort((left, right) => numberAt(left, 'value') - numberAt(right, 'value'))
    return general ? { ...levelOf(general), priorityClassName: general.metadata.name } : levelOf({ value: 0 })
  }
  const value = SYSTEM_PRIORITIES.get(name)
  const found = objects.get(gvk, { namespace: '', name }) ?? (value === undefined ? undefined : { value })
  if (!found) throw forbidden(PODS, nameAtAdmission(object), `no PriorityClass with name ${name} was found`)
  return levelOf(found)
}

/** A pod says its class; what follows from it is for the server to say. */
function checkPriority(object: KubeObject, { priority, preemptionPolicy }: JsonObject): void {
  const given = objectAt(object, 'spec')
  const refuse = (what: string, computed: JsonObject[string]): Error => {
    const text = `${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`
    return forbidden(PODS, nameAtAdmission(object), `the ${text}`)
  }
  if (given.priority !== undefined && given.priority !== priority) {
    throw refuse(`integer value of priority (${given.priority})`, priority)
  }
  if (given.preemptionPolicy !== undefined && given.preemptionPolicy !== preemptionPolicy) {
    throw refuse(`string value of PreemptionPolicy (${given.preemptionPolicy})`, preemptionPolicy)
  }
}

function levelOf(priorityClass: JsonObject): JsonObject {
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority' } = priorityClass
  return { priority: value, preemptionPolicy }
}
