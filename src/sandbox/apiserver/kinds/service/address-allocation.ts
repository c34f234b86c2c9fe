import { sha256 } from '../../../../core/base/hash.ts'
import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { internalError, statusError } from '../../api-status.ts'
import { type FieldErrors, invalid } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textsAt } from '../common/fields.ts'
import type { KindContext } from '../kind-rules.ts'
import { offsetsOf, parseAddress, printAddress, printRange, type ServiceRange } from './service-range.ts'
import { isHeadless, needsClusterIP, needsHealthCheckPort, needsNodePorts } from './service-traits.ts'

const NODE_PORTS = { first: 30000, last: 32767, firstChosen: 30086 }

/** The spec with a cluster IP and node ports where it wants some and names none; `old` is absent on creation. */
export function allocate(object: KubeObject, old: KubeObject | undefined, context: KindContext): JsonObject {
  const spec = objectAt(object, 'spec')
  const seed = Number.parseInt(sha256(`${object.metadata.namespace}/${object.metadata.name}`).slice(0, 8), 16)
  const addressed = needsAddress(spec)
    ? withClusterIP(spec, seed, context.settings.serviceRange, takenBy(object, context))
    : spec
  if (!needsNodePorts(addressed)) return addressed
  const ports = new PortAllocation(addressed, takenBy(object, context), context.dryRun ? undefined : seed)
  return withNodePorts(addressed, ports, old === undefined)
}

/** Complaints about addresses and ports that the Service names itself. */
export function validateAllocation(object: KubeObject, old: KubeObject | undefined, context: KindContext): FieldErrors {
  const spec = objectAt(object, 'spec')
  const before = objectAt(old, 'spec')
  const ports = needsNodePorts(spec) ? itemsAt(spec, 'ports') : []
  const chosen = ports.filter((port) => numberAt(port, 'nodePort') !== 0)
  const ips = textsAt(spec, 'clusterIPs')
  if (!needsClusterIP(spec)) return []
  // One that is there already may not change: that is for the rules of the kind to say.
  const hadIP = old !== undefined && needsClusterIP(before)
  const isNewIP = !isHeadless(spec) && ips.length > 0 && !hadIP
  if (!isNewIP && chosen.length === 0) return []
  const taken = takenBy(object, context)
  const errors = [
    ...(isNewIP ? validateClusterIP(ips, context, taken) : []),
    ...(chosen.length > 0 ? validateNodePorts(spec, before, { taken, dryRun: context.dryRun }) : []),
  ]
  if (errors.length > 0) return errors
  if (old) refuseDoubledPorts(chosen)
  if (needsHealthCheckPort(spec) && !needsHealthCheckPort(before)) refuseTakenCheckPort(spec, taken)
  return []
}

/** @throws ApiError 500, as the server takes it for its own fault */
function refuseTakenCheckPort(spec: JsonObject, taken: Taken): void {
  const check = numberAt(spec, 'healthCheckNodePort')
  const isOwn = itemsAt(spec, 'ports').some((port) => numberAt(port, 'nodePort') === check)
  if (!isOwn && !taken.ports.has(check)) return
  const cause = 'provided port is already allocated'
  throw internalError(`failed to allocate requested HealthCheck NodePort ${check}: ${cause}`)
}

/** @throws ApiError 500, as the server words what its allocation has not foreseen */
function refuseDoubledPorts(ports: readonly JsonObject[]): void {
  const seen = new Set<string>()
  for (const { protocol, nodePort } of ports) {
    const port = `{${protocol} ${nodePort}}`
    if (seen.has(port)) throw statusError(500, '', `duplicate nodePort: ${port}`)
    seen.add(port)
  }
}

interface Taken {
  readonly ips: ReadonlySet<string>
  /** By port; the protocols that have it. */
  readonly ports: ReadonlyMap<number, ReadonlySet<unknown>>
}

/** What all other Services have. */
function takenBy(object: KubeObject, { objects }: KindContext): Taken {
  const ips = new Set<string>()
  const ports = new Map<number, Set<unknown>>()
  for (const other of objects.list({ group: '', version: 'v1', kind: 'Service' })) {
    const { name, namespace } = other.metadata
    if (name === object.metadata.name && namespace === object.metadata.namespace) continue
    const spec = objectAt(other, 'spec')
    for (const ip of textsAt(spec, 'clusterIPs')) ips.add(ip)
    for (const { nodePort, protocol } of itemsAt(spec, 'ports')) {
      if (typeof nodePort === 'number') ports.set(nodePort, (ports.get(nodePort) ?? new Set()).add(protocol))
    }
    const { healthCheckNodePort } = spec
    if (typeof healthCheckNodePort === 'number') ports.set(healthCheckNodePort, new Set(['TCP', 'UDP', 'SCTP']))
  }
  return { ips, ports }
}

function needsAddress(spec: JsonObject): boolean {
  return needsClusterIP(spec) && textsAt(spec, 'clusterIPs').length === 0
}

function withClusterIP(spec: JsonObject, seed: number, range: ServiceRange, { ips }: Taken): JsonObject {
  const isFree = (offset: number): boolean => !ips.has(printAddress(range.network + offset))
  const ip = printAddress(range.network + pick('serviceIP', candidates(offsetsOf(range), seed), isFree))
  return { ...spec, clusterIP: ip, clusterIPs: [ip] }
}

/** @throws ApiError 500 when none is free */
function pick(what: string, numbers: Iterable<number>, isFree: (number: number) => boolean): number {
  for (const number of numbers) if (isFree(number)) return number
  throw internalError(`failed to allocate a ${what}: range is full`)
}

/** From `seed` around to `seed`; those that are kept for people come last. */
function* candidates({ first, firstChosen, last }: typeof NODE_PORTS, seed: number): Iterable<number> {
  const size = last - firstChosen + 1
  for (let attempt = 0; attempt < size; attempt++) yield firstChosen + ((seed + attempt) % size)
  for (let number = first; number < firstChosen; number++) yield number
}

/** The ports of nodes that one Service gets. */
class PortAllocation {
  readonly #used: Set<number>
  readonly #seed: number | undefined
  #last = NODE_PORTS.last

  /** Without a seed, nothing is kept of what is chosen, and the server takes the first that comes to its mind. */
  constructor(spec: JsonObject, { ports }: Taken, seed: number | undefined) {
    const given = itemsAt(spec, 'ports').map((port) => numberAt(port, 'nodePort'))
    this.#used = new Set([...ports.keys(), ...given, numberAt(spec, 'healthCheckNodePort')])
    this.#seed = seed
  }

  /** One that the Service names itself. */
  take(port: number): number {
    const isFirst = this.#last === NODE_PORTS.last
    this.#last = isFirst ? port : Math.max(this.#last, port)
    return port
  }

  next(): number {
    if (this.#seed === undefined) return this.take(this.#last + 1)
    const port = pick('nodePort', candidates(NODE_PORTS, this.#seed), (number) => !this.#used.has(number))
    this.#used.add(port)
    return port
  }
}

/** A new Service has one node port for each of its port numbers: ports that differ only in the protocol share it. */
function withNodePorts(spec: JsonObject, allocation: PortAllocation, isNew: boolean): JsonObject {
  const wantsAll = spec.allocateLoadBalancerNodePorts !== false || spec.type === 'NodePort'
  const given = itemsAt(spec, 'ports')
  const byNumber = new Map<number, number>()
  const ports = given.map((port) => {
    const number = numberAt(port, 'port')
    const own = numberAt(port, 'nodePort')
    if (own !== 0) allocation.take(own)
    if (own !== 0 || !wantsAll) return port
    const shared = isNew ? byNumber.get(number) || requestedFor(number, given) : 0
    const nodePort = shared || allocation.next()
    byNumber.set(number, nodePort)
    return { ...port, nodePort }
  })
  const needsCheck = needsHealthCheckPort(spec) && numberAt(spec, 'healthCheckNodePort') === 0
  return { ...spec, ports, ...(needsCheck && { healthCheckNodePort: allocation.next() }) }
}

/** The first port of the nodes that is named for a number; 0 where there is none. */
function requestedFor(number: number, ports: readonly JsonObject[]): number {
  const chosen = ports.find((port) => numberAt(port, 'port') === number && numberAt(port, 'nodePort') !== 0)
  return chosen === undefined ? 0 : numberAt(chosen, 'nodePort')
}

/** In a dry run the server asks another allocator, which does not know what is taken. */
function validateClusterIP(ips: readonly string[], { settings, dryRun }: KindContext, taken: Taken): FieldErrors {
  const [ip = ''] = ips
  const { serviceRange } = settings
  const failed = (cause: string): FieldErrors => [
    invalid('spec.clusterIPs', [...ips], `failed to allocate IP ${ip}: ${cause}`),
  ]
  const offset = parseAddress(ip) - serviceRange.network
  if (offset < 1 || offset > serviceRange.size - 2) {
    const range = `The range of valid IPs is ${printRange(serviceRange)}`
    return failed(
      dryRun
        ? `the provided IP (${ip}) is not in the valid range. ${range}`
        : 'the provided network does not match the current range',
    )
  }
  return !dryRun && taken.ips.has(ip) ? failed('provided IP is already allocated') : []
}

/** A dry run looks whether a port is taken, and not whether it is in the range. */
function validateNodePorts(
  spec: JsonObject,
  old: JsonObject,
  { taken, dryRun }: { readonly taken: Taken; readonly dryRun: boolean },
): FieldErrors {
  const before = new Set(itemsAt(old, 'ports').map((port) => numberAt(port, 'nodePort')))
  const isNew = Object.keys(old).length === 0
  /** By the ports of the Service, the first node port of each. */
  const own = new Map<number, number>()
  return itemsAt(spec, 'ports').flatMap((port, index) => {
    const nodePort = numberAt(port, 'nodePort')
    const field = `spec.ports[${index}].nodePort`
    const first = own.get(numberAt(port, 'port'))
    const isDouble = isNew && first !== nodePort && [...own.values()].includes(nodePort)
    if (first === undefined) own.set(numberAt(port, 'port'), nodePort)
    if (nodePort === 0 || before.has(nodePort)) return []
    if (!dryRun && (nodePort < NODE_PORTS.first || nodePort > NODE_PORTS.last)) {
      const range = `${NODE_PORTS.first}-${NODE_PORTS.last}`
      const text = `provided port is not in the valid range. The range of valid ports is ${range}`
      return [invalid(field, nodePort, text)]
    }
    const isTaken = isDouble || taken.ports.has(nodePort)
    return isTaken ? [invalid(field, nodePort, 'provided port is already allocated')] : []
  })
}
