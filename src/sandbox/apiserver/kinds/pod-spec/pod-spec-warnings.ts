import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { isWholeQuantity } from '../common/quantity.ts'
import { affinityWarnings, nodeLabelWarnings, spreadWarnings } from './node-label-warnings.ts'
import { annotationWarnings, nameWarnings } from './pod-meta-warnings.ts'
import { volumeWarnings } from './volume-warnings.ts'

type Warnings = readonly string[]

/** What is legal in a pod's spec and still questionable, in the words of the server. */
export const podSpecWarnings = judgeOnce((spec: JsonObject, field): Warnings => {
  const containers = containersWithPath(spec, field)
  return [
    ...nodeLabelWarnings(spec, field),
    ...spreadWarnings(spec, `${field}.topologySpreadConstraints`),
    ...volumeWarnings(spec, field),
    ...duplicates(spec, { list: 'hostAliases', name: 'ip', field }),
    ...duplicates(spec, { list: 'imagePullSecrets', name: 'name', field }),
    ...emptyNames(spec, field),
    ...fractionsIn(objectAt(spec, 'overhead'), `${field}.overhead`),
    ...containers.flatMap(({ container, path }) => [
      ...fractions(container, path),
      ...hiddenVariables(container, path),
    ]),
    ...containers.flatMap(({ container, path }) => addressesWithoutPort(container, path)),
    ...duplicatePorts(containers),
    ...duplicatePortNames(containers),
    ...(numberAt(spec, 'terminationGracePeriodSeconds') < 0
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(objectAt(spec, 'affinity'), `${field}.affinity`),
  ]
})

/** Of a workload: when it is created, and when its spec changes. `path` leads to the template. */
export function templateWarnings(
  path: readonly string[],
): (object: KubeObject, old: KubeObject | undefined) => Warnings {
  return (object, old) => {
    if (old && object.metadata.generation === old.metadata.generation) return []
    const template = path.reduce<JsonObject>((here, step) => objectAt(here, step), object)
    const place = path.join('.')
    return [
      ...annotationWarnings(template, `${place}.`),
      ...podSpecWarnings(objectAt(template, 'spec'), `${place}.spec`),
    ]
  }
}

/** The same of workloads whose pods are named after them. */
export function namedTemplateWarnings(path: readonly string[]): ReturnType<typeof templateWarnings> {
  const ofTemplate = templateWarnings(path)
  return (object, old) => [...(old ? [] : nameWarnings(object, 'Pod names and hostnames')), ...ofTemplate(object, old)]
}

interface Placed {
  readonly container: JsonObject
  readonly path: string
}

function containersWithPath(spec: JsonObject, field: string): readonly Placed[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    itemsAt(spec, list).map((container, index) => ({ container, path: `${field}.${list}[${index}]` })),
  )
}

function duplicates(spec: JsonObject, rule: { list: string; name: string; field: string }): Warnings {
  const seen = new Set<string>()
  return itemsAt(spec, rule.list).flatMap((item, index) => {
    const value = textAt(item, rule.name)
    if (!seen.has(value)) {
      seen.add(value)
      return []
    }
    return [`${rule.field}.${rule.list}[${index}].${rule.name}: duplicate ${rule.name} ${JSON.stringify(value)}`]
  })
}

function emptyNames(spec: JsonObject, field: string): Warnings {
  return itemsAt(spec, 'imagePullSecrets').flatMap((item, index) =>
    textAt(item, 'name') === '' ? [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  )
}

function fractions(container: JsonObject, path: string): Warnings {
  const resources = objectAt(container, 'resources')
  return WHOLE.flatMap((name) =>
    ['limits', 'requests'].flatMap((list) =>
      fractionsIn(objectAt(resources, list), `${path}.resources.${list}`, [name]),
    ),
  )
}

/** Bytes come whole. */
const WHOLE = ['memory', 'ephemeral-storage']

function fractionsIn(amounts: JsonObject, path: string, names = WHOLE): Warnings {
  return names.flatMap((name) => {
    const value = amounts[name]
    if (value === undefined || isWholeQuantity(value)) return []
    return [`${path}[${name}]: fractional byte value "${value}" is invalid, must be an integer`]
  })
}

/** A variable may add to an earlier one of its name, but not replace it. */
function hiddenVariables(container: JsonObject, path: string): Warnings {
  const seen = new Set<string>()
  return itemsAt(container, 'env').flatMap((variable, index) => {
    const name = textAt(variable, 'name')
    const reference = `$(${name})`
    const value = textAt(variable, 'value')
    const isFirst = !seen.has(name)
    seen.add(name)
    const adds = variable.valueFrom === undefined && value !== reference && value.includes(reference)
    if (isFirst || adds) return []
    return [
      `${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ]
  })
}

/** An address of the node is nothing without a port of it. */
function addressesWithoutPort(container: JsonObject, path: string): Warnings {
  return itemsAt(container, 'ports').flatMap((port, index) => {
    const address = textAt(port, 'hostIP')
    if (address === '' || numberAt(port, 'hostPort') !== 0) return []
    const [name, protocol] = [textAt(port, 'name'), textAt(port, 'protocol')]
    const shown = `{Name:${name} HostPort:0 ContainerPort:${numberAt(port, 'containerPort')} Protocol:${protocol} HostIP:${address}}`
    return [`${path}.ports[${index}]: hostIP set without hostPort: ${shown}`]
  })
}

function duplicatePorts(containers: readonly Placed[]): Warnings {
  const all = portsOf(containers)
  return all.flatMap(({ port, path }, index) => {
    const others = all.slice(0, index).filter((other) => samePort(other.port, port))
    return others.flatMap((other) => {
      const kind = conflictOf(port, other.port)
      return kind === undefined ? [] : [`${path}: ${kind} port definition with ${other.path}`]
    })
  })
}

function samePort(left: JsonObject, right: JsonObject): boolean {
  return left.containerPort === right.containerPort && left.protocol === right.protocol
}

function conflictOf(port: JsonObject, other: JsonObject): string | undefined {
  const [host, otherHost] = [numberAt(port, 'hostPort'), numberAt(other, 'hostPort')]
  const [ip, otherIp] = [textAt(port, 'hostIP'), textAt(other, 'hostIP')]
  if (host === otherHost && ip === otherIp) return 'duplicate'
  if (host === 0 || otherHost === 0) return 'overlapping'
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined
}

function duplicatePortNames(containers: readonly Placed[]): Warnings {
  const first = new Map<string, string>()
  return portsOf(containers).flatMap(({ port, path }) => {
    const name = textAt(port, 'name')
    const other = first.get(name)
    if (name === '') return []
    if (other === undefined) {
      first.set(name, path)
      return []
    }
    return [
      `${path}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ]
  })
}

function portsOf(containers: readonly Placed[]): readonly { port: JsonObject; path: string }[] {
  return containers.flatMap(({ container, path }) =>
    itemsAt(container, 'ports').map((port, index) => ({ port, path: `${path}.ports[${index}]` })),
  )
}
