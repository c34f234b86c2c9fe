import type { JsonObject } from '../../../../core/base/json.ts'
import { checkLabel } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  invalidFor,
  oneOf,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { checkPortName } from '../common/formats.ts'
import { validateEnvironment } from './environment-validation.ts'
import { validateLifecycle, validateProbes } from './probes-validation.ts'
import { validateResizePolicy } from './resize-policy-validation.ts'
import { claimNamesOf, validateClaimUses } from './resource-claims-validation.ts'
import { validateResources } from './resources-validation.ts'
import { validateInitRestartPolicy, validateRestartPolicy } from './restart-rules-validation.ts'
import { validateSecurityContext } from './security-validation.ts'
import { type Volumes, validateVolumeUses } from './volume-mounts-validation.ts'
import { PULL_POLICIES } from './volumes-validation.ts'

/** What containers of a pod have to fit to. */
export interface PodParts {
  readonly volumes: Volumes
  /** Names of the claims of the pod. */
  readonly claims: ReadonlySet<string>
  /** Whether its users are those of the node. */
  readonly hasHostUsers: boolean
  readonly restartPolicy: string
  /** Seconds that it gets to stop. */
  readonly gracePeriod: number
}

export function podPartsOf(spec: JsonObject, volumes: Volumes): PodParts {
  return {
    volumes,
    claims: claimNamesOf(spec),
    hasHostUsers: spec.hostUsers !== false,
    restartPolicy: textAt(spec, 'restartPolicy'),
    gracePeriod: numberAt(spec, 'terminationGracePeriodSeconds'),
  }
}

export function validateContainers(spec: JsonObject, field: string, parts: PodParts): FieldErrors {
  const containers = itemsAt(spec, 'containers')
  if (containers.length === 0) return [required(field)]
  const names = new Set<string>()
  const errors = containers.flatMap((container, index) => {
    const place = `${field}[${index}]`
    return [
      ...validateContainer(container, place, parts),
      ...validateUnique(container, place, names),
      ...validateLifecycle(container, place, parts.gracePeriod),
      ...validateProbes(container, place),
      ...validateRestartPolicy(container, place),
    ]
  })
  return [...errors, ...validateHostPorts(containers, field)]
}

export function validateInitContainers(spec: JsonObject, field: string, parts: PodParts): FieldErrors {
  const names = new Set(itemsAt(spec, 'containers').map((container) => textAt(container, 'name')))
  return itemsAt(spec, 'initContainers').flatMap((container, index) => {
    const place = `${field}[${index}]`
    return [
      ...validateContainer(container, place, parts),
      ...validateInitRestartPolicy(container, place),
      ...validateUnique(container, place, names),
      ...validateHostPorts([container], field),
      ...(container.restartPolicy === 'Always'
        ? [...validateLifecycle(container, place, parts.gracePeriod), ...validateProbes(container, place)]
        : validateOneShot(container, place)),
    ]
  })
}

/** Complaints about what containers of all sorts have in common. */
export function validateContainer(container: JsonObject, field: string, parts: PodParts): FieldErrors {
  const name = textAt(container, 'name')
  const resources = objectAt(container, 'resources')
  const policies = ['File', 'FallbackToLogsOnError']
  return [
    ...(name === '' ? [required(`${field}.name`)] : invalidFor(`${field}.name`, name, checkLabel(name))),
    ...(textAt(container, 'image') === '' ? [required(`${field}.image`)] : []),
    ...oneOf(`${field}.terminationMessagePolicy`, textAt(container, 'terminationMessagePolicy'), policies),
    ...validatePorts(container, `${field}.ports`),
    ...validateEnvironment(container, field),
    ...validateVolumeUses(container, field, parts.volumes),
    ...oneOf(`${field}.imagePullPolicy`, textAt(container, 'imagePullPolicy'), PULL_POLICIES),
    ...validateResources(resources, `${field}.resources`),
    ...validateClaimUses(resources, `${field}.resources.claims`, parts.claims),
    ...validateResizePolicy(container, field, parts.restartPolicy),
    ...validateSecurityContext(objectAt(container, 'securityContext'), `${field}.securityContext`, parts.hasHostUsers),
  ]
}

function validateUnique(container: JsonObject, field: string, names: Set<string>): FieldErrors {
  const name = textAt(container, 'name')
  if (names.has(name)) return [duplicate(`${field}.name`, name)]
  names.add(name)
  return []
}

const ONLY_FOR_SIDECARS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']

function validateOneShot(container: JsonObject, field: string): FieldErrors {
  const set = ONLY_FOR_SIDECARS.filter((name) => container[name] !== undefined)
  const detail = 'may not be set for init containers without restartPolicy=Always'
  return [
    ...set.map((name) => forbidden(`${field}.${name}`, detail)),
    ...itemsAt(container, 'resizePolicy').flatMap(({ restartPolicy }, index) => {
      const text = "must not be set to 'RestartContainer' for non-sidecar initContainers"
      const place = `${field}.resizePolicy[${index}].restartPolicy`
      return restartPolicy === 'RestartContainer' ? [invalid(place, restartPolicy, text)] : []
    }),
  ]
}

function validatePorts(container: JsonObject, field: string): FieldErrors {
  const names = new Set<string>()
  return itemsAt(container, 'ports').flatMap((port, index) => {
    const place = `${field}[${index}]`
    const containerPort = numberAt(port, 'containerPort')
    const hostPort = numberAt(port, 'hostPort')
    return [
      ...validatePortName(textAt(port, 'name'), place, names),
      ...(containerPort === 0
        ? [required(`${place}.containerPort`)]
        : inRange(`${place}.containerPort`, containerPort, [1, 65535])),
      ...(hostPort === 0 ? [] : inRange(`${place}.hostPort`, hostPort, [1, 65535])),
      ...oneOf(`${place}.protocol`, textAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP']),
    ]
  })
}

function validatePortName(name: string, field: string, names: Set<string>): FieldErrors {
  if (name === '') return []
  const complaints = checkPortName(name)
  if (complaints.length > 0) return invalidFor(`${field}.name`, name, complaints)
  if (names.has(name)) return [duplicate(`${field}.name`, name)]
  names.add(name)
  return []
}

/** Two containers cannot have the same port of the node. */
function validateHostPorts(containers: readonly JsonObject[], field: string): FieldErrors {
  const taken = new Set<string>()
  return containers.flatMap((container, index) =>
    itemsAt(container, 'ports').flatMap((port, at) => {
      const hostPort = numberAt(port, 'hostPort')
      if (hostPort === 0) return []
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${hostPort}`
      if (taken.has(key)) return [duplicate(`${field}[${index}].ports[${at}].hostPort`, key)]
      taken.add(key)
      return []
    }),
  )
}
