import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkLabelKey, checkSubdomain } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  inRange,
  invalidFor,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { checkIP } from '../common/formats.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { validateLabels, validateMetadata } from '../common/label-selectors.ts'
import { allContainers } from './all-containers.ts'
import { podPartsOf, validateContainers, validateInitContainers } from './containers-validation.ts'
import { validateDnsConfig } from './dns-config-validation.ts'
import { validateVariableFiles } from './environment-validation.ts'
import { validateEphemeralContainers } from './ephemeral-containers-validation.ts'
import { validatePodResources } from './pod-resources-validation.ts'
import { validatePodClaims } from './resource-claims-validation.ts'
import { validateResources } from './resources-validation.ts'
import { validateAffinity, validateTolerations } from './scheduling-validation.ts'
import { validatePodSecurityContext } from './security-validation.ts'
import { validateTopologySpread } from './topology-spread-validation.ts'
import { validateVolumes } from './volumes-validation.ts'
import { validateForLinux, validateForWindows, validateHostProcesses } from './windows-validation.ts'

/** Volumes are labelled by the mount itself only where a pod has named a way before: that is behind a closed gate. */
const NEW_POLICIES = ['Recursive']
const POLICIES = ['MountOption', 'Recursive']

const validateNew = judgeOnce((spec: JsonObject, field) => validateSpec(spec, field, NEW_POLICIES))
const validateAgain = judgeOnce((spec: JsonObject, field) => validateSpec(spec, field, POLICIES))

/** Complaints about a pod's spec in a Pod or a template; `old` is the spec before, if there was one. */
export function validatePodSpec(spec: JsonObject, field: string, old?: JsonObject): FieldErrors {
  const hasPolicy = objectAt(old, 'securityContext').seLinuxChangePolicy !== undefined
  return hasPolicy ? validateAgain(spec, field) : validateNew(spec, field)
}

/** In the order of the server. */
function validateSpec(spec: JsonObject, field: string, policies: readonly string[]): FieldErrors {
  const { errors, volumes } = validateVolumes(spec, `${field}.volumes`)
  const parts = podPartsOf(spec, volumes)
  return [
    ...errors,
    ...validatePodClaims(spec, `${field}.resourceClaims`),
    ...validateContainers(spec, `${field}.containers`, parts),
    ...validateInitContainers(spec, `${field}.initContainers`, parts),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, parts),
    ...validatePodResources(spec, `${field}.resources`),
    ...validateHostNetwork(spec, field),
    ...validatePolicies(spec, field),
    ...validateLabels(objectAt(spec, 'nodeSelector'), `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${field}.securityContext`, policies),
    ...validateAffinity(objectAt(spec, 'affinity'), `${field}.affinity`),
    ...validateDnsConfig(spec, `${field}.dnsConfig`),
    ...validateReadinessGates(itemsAt(spec, 'readinessGates'), `${field}.readinessGates`),
    ...validateSchedulingGates(itemsAt(spec, 'schedulingGates'), `${field}.schedulingGates`),
    ...validateTopologySpread(spec, `${field}.topologySpreadConstraints`),
    ...validateHostProcesses(spec, field),
    ...validateHostUsers(spec, field),
    ...validateHostnameOverride(spec, `${field}.hostnameOverride`),
    ...validateNames(spec, field),
    ...validateTolerations(itemsAt(spec, 'tolerations'), `${field}.tolerations`),
    ...validateHostAliases(spec, `${field}.hostAliases`),
    ...validateName(spec, 'priorityClassName', { field, check: checkSubdomain }),
    ...validateRuntimeClass(spec.runtimeClassName, `${field}.runtimeClassName`),
    ...validatePreemption(spec.preemptionPolicy, `${field}.preemptionPolicy`),
    // The server looks at it as at the limits of a container.
    ...validateResources({ limits: objectAt(spec, 'overhead') }, `${field}.overhead`),
    ...validateSystem(spec, field),
    ...validateVariableFiles(spec, field),
  ]
}

/** A template of pods, in a workload; `old` is the template before, if there was one. */
export function validatePodTemplate(template: JsonObject, field: string, old?: JsonObject): FieldErrors {
  return [
    ...validateMetadata(objectAt(template, 'metadata'), field),
    ...validatePodSpec(objectAt(template, 'spec'), `${field}.spec`, objectAt(old, 'spec')),
    ...validateNoEphemeral(objectAt(template, 'spec'), `${field}.spec.ephemeralContainers`),
  ]
}

function validateNoEphemeral(spec: JsonObject, field: string): FieldErrors {
  if (itemsAt(spec, 'ephemeralContainers').length === 0) return []
  return [forbidden(field, 'ephemeral containers not allowed in pod template')]
}

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

function validatePolicies(spec: JsonObject, field: string): FieldErrors {
  return [
    ...oneOf(`${field}.restartPolicy`, textAt(spec, 'restartPolicy'), RESTART_POLICIES),
    ...oneOf(`${field}.dnsPolicy`, textAt(spec, 'dnsPolicy'), DNS_POLICIES),
  ]
}

function validateReadinessGates(gates: readonly JsonObject[], field: string): FieldErrors {
  return gates.flatMap((gate, index) => {
    const type = textAt(gate, 'conditionType')
    return invalidFor(`${field}[${index}].conditionType`, type, checkLabelKey(type))
  })
}

function validateSchedulingGates(gates: readonly JsonObject[], field: string): FieldErrors {
  const names = gates.map((gate) => textAt(gate, 'name'))
  return names.flatMap((name, index) => [
    ...invalidFor(`${field}[${index}]`, name, checkLabelKey(name)),
    ...(names.indexOf(name) < index ? [duplicate(`${field}[${index}]`, name)] : []),
  ])
}

/** By their names in errors, what cannot be shared with the node by a pod with users of its own. */
const SHARED = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' } as const

function validateHostUsers(spec: JsonObject, field: string): FieldErrors {
  if (spec.hostUsers !== false) return []
  const detail = 'when `hostUsers` is false'
  return [
    ...Object.entries(SHARED).flatMap(([name, shown]) =>
      spec[name] === true ? [forbidden(`${field}.${shown}`, detail)] : [],
    ),
    // Files of block devices keep the users of the node.
    ...allContainers(spec, field).flatMap(([container, place]) =>
      itemsAt(container, 'volumeDevices').length > 0 ? [forbidden(`${place}.volumeDevices`, detail)] : [],
    ),
  ]
}

const SYSTEMS = ['linux', 'windows']

/** The operating system that a pod is for, and what it cannot have there. */
function validateSystem(spec: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(spec.os)) return []
  const name = textAt(spec.os, 'name')
  if (name === '') return [required(`${field}.os.name`)]
  if (!SYSTEMS.includes(name)) return oneOf(`${field}.os`, name, SYSTEMS)
  return name === 'linux' ? validateForLinux(spec, field) : validateForWindows(spec, field)
}

const LONGEST_HOSTNAME = 64

function validateHostnameOverride(spec: JsonObject, field: string): FieldErrors {
  const { hostnameOverride: name, setHostnameAsFQDN: isFull, hostNetwork } = spec
  if (typeof name !== 'string') return []
  return [
    ...(isFull === true ? [forbidden(field, 'may not be specified when setHostnameAsFQDN is true')] : []),
    ...(hostNetwork === true ? [forbidden(field, 'may not be specified when hostNetwork is true')] : []),
    ...(name.length > LONGEST_HOSTNAME ? [tooLong(field, LONGEST_HOSTNAME)] : []),
    ...invalidFor(field, name, checkSubdomain(name)),
  ]
}

const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never']

function validatePreemption(policy: JsonObject[string], field: string): FieldErrors {
  if (policy === undefined) return []
  return policy === '' ? [required(field)] : oneOf(field, String(policy), PREEMPTION_POLICIES)
}

function validateRuntimeClass(name: JsonObject[string], field: string): FieldErrors {
  return typeof name === 'string' ? invalidFor(field, name, checkSubdomain(name)) : []
}

function validateNames(spec: JsonObject, field: string): FieldErrors {
  const deadline = spec.activeDeadlineSeconds
  return [
    ...validateName(spec, 'serviceAccountName', { field, check: checkSubdomain }),
    ...validateName(spec, 'nodeName', { field, check: checkSubdomain }),
    ...(typeof deadline === 'number' ? inRange(`${field}.activeDeadlineSeconds`, deadline, [1, 2147483647]) : []),
    ...validateName(spec, 'hostname', { field, check: checkLabel }),
    ...validateName(spec, 'subdomain', { field, check: checkLabel }),
  ]
}

interface NameRule {
  readonly field: string
  readonly check: (name: string) => readonly string[]
}

/** A name that may be left out. */
function validateName(spec: JsonObject, name: string, { field, check }: NameRule): FieldErrors {
  const value = textAt(spec, name)
  return value === '' ? [] : invalidFor(`${field}.${name}`, value, check(value))
}

function validateHostNetwork(spec: JsonObject, field: string): FieldErrors {
  if (spec.hostNetwork !== true) return []
  return itemsAt(spec, 'containers').flatMap((container, index) =>
    itemsAt(container, 'ports').flatMap((port, at) => {
      const { hostPort = 0, containerPort } = port
      if (hostPort === 0 || hostPort === containerPort) return []
      const place = `${field}.containers[${index}].ports[${at}].hostPort`
      return invalidFor(place, hostPort, ['must match `containerPort` when `hostNetwork` is true'])
    }),
  )
}

function validateHostAliases(spec: JsonObject, field: string): FieldErrors {
  return itemsAt(spec, 'hostAliases').flatMap((alias, index) => {
    const ip = textAt(alias, 'ip')
    return [
      ...invalidFor(`${field}[${index}].ip`, ip, checkIP(ip)),
      ...textsAt(alias, 'hostnames').flatMap((name, at) =>
        invalidFor(`${field}[${index}].hostnames[${at}]`, name, checkSubdomain(name)),
      ),
    ]
  })
}
