import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkLabelKey, checkSubdomain } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  inRange,
  invalidFor,
  notSupported,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { checkIP } from '../common/formats.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { validateLabels, validateMetadata } from '../common/label-selectors.ts'
import { validateContainers, validateInitContainers } from './containers-validation.ts'
import { validateEphemeralContainers } from './ephemeral-containers-validation.ts'
import { validateResources } from './resources-validation.ts'
import { validateAffinity, validateTolerations } from './scheduling-validation.ts'
import { validatePodSecurityContext } from './security-validation.ts'
import { validateTopologySpread } from './topology-spread-validation.ts'
import { validateVolumes } from './volumes-validation.ts'

/** Complaints about a pod's spec in a Pod or a template, in the order of the server. */
export const validatePodSpec = judgeOnce((spec: JsonObject, field): FieldErrors => {
  const { errors, volumes } = validateVolumes(spec, `${field}.volumes`)
  return [
    ...errors,
    ...validateContainers(spec, `${field}.containers`, volumes),
    ...validateInitContainers(spec, `${field}.initContainers`, volumes),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, volumes),
    ...validateResources(objectAt(spec, 'resources'), `${field}.resources`),
    ...validateHostNetwork(spec, field),
    ...validatePolicies(spec, field),
    ...validateLabels(objectAt(spec, 'nodeSelector'), `${field}.nodeSelector`),
    ...validatePodSecurityContext(objectAt(spec, 'securityContext'), `${field}.securityContext`),
    ...validateAffinity(objectAt(spec, 'affinity'), `${field}.affinity`),
    ...validateDnsConfig(spec, `${field}.dnsConfig`),
    ...validateGates(itemsAt(spec, 'schedulingGates'), `${field}.schedulingGates`),
    ...validateTopologySpread(spec, `${field}.topologySpreadConstraints`),
    ...validateHostUsers(spec, field),
    ...validateSystem(spec, `${field}.os`),
    ...validateHostnameOverride(spec, `${field}.hostnameOverride`),
    ...validateNames(spec, field),
    ...validateTolerations(itemsAt(spec, 'tolerations'), `${field}.tolerations`),
    ...validateHostAliases(spec, `${field}.hostAliases`),
    ...validateName(spec, 'priorityClassName', { field, check: checkSubdomain }),
    ...validateName(spec, 'runtimeClassName', { field, check: checkSubdomain }),
    ...validatePreemption(spec, field),
    ...(objectAt(spec, 'os').name === 'linux' ? validateLinux(spec, field) : []),
  ]
})

/** What a pod that says that it is for Linux cannot have. */
function validateLinux(spec: JsonObject, field: string): FieldErrors {
  const lists = ['containers', 'initContainers', 'ephemeralContainers']
  const holders = [
    [spec, field] as const,
    ...lists.flatMap((list) => itemsAt(spec, list).map((each, index) => [each, `${field}.${list}[${index}]`] as const)),
  ]
  return holders
    .filter(([holder]) => objectAt(holder, 'securityContext').windowsOptions !== undefined)
    .map(([, place]) =>
      forbidden(`${place}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'),
    )
}

/** A template of pods, in a workload. */
export function validatePodTemplate(template: JsonObject, field: string): FieldErrors {
  return [
    ...validateMetadata(objectAt(template, 'metadata'), field),
    ...validatePodSpec(objectAt(template, 'spec'), `${field}.spec`),
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

function validateGates(gates: readonly JsonObject[], field: string): FieldErrors {
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
  return Object.entries(SHARED).flatMap(([name, shown]) =>
    spec[name] === true ? [forbidden(`${field}.${shown}`, 'when `hostUsers` is false')] : [],
  )
}

function validateSystem({ os }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(os)) return []
  const name = textAt(os, 'name')
  return name === '' ? [required(`${field}.name`)] : oneOf(field, name, ['linux', 'windows'])
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

function validatePreemption(spec: JsonObject, field: string): FieldErrors {
  const policy = spec.preemptionPolicy
  if (policy === undefined || policy === 'Never' || policy === 'PreemptLowerPriority') return []
  return [notSupported(`${field}.preemptionPolicy`, policy, ['PreemptLowerPriority', 'Never'])]
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

function validateDnsConfig(spec: JsonObject, field: string): FieldErrors {
  const isOwn = spec.dnsPolicy === 'None'
  if (spec.dnsConfig === undefined) {
    return isOwn ? [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')] : []
  }
  const servers = textsAt(objectAt(spec, 'dnsConfig'), 'nameservers')
  if (isOwn && servers.length === 0) {
    return [required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
  }
  return [
    ...servers.flatMap((server, index) => invalidFor(`${field}.nameservers[${index}]`, server, checkIP(server))),
    ...itemsAt(objectAt(spec, 'dnsConfig'), 'options').flatMap((option, index) =>
      textAt(option, 'name') === '' ? [required(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  ]
}
