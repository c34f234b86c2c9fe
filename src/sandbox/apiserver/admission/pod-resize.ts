import { forbidden } from '../api-status.ts'
import { objectAt, textAt } from '../kinds/common/fields.ts'
import { compareQuantities, nanosOf } from '../kinds/common/quantity.ts'
import { type AdmissionAttributes, refuse } from './attributes.ts'
import { wholePod } from './limit-ranges.ts'

const NODE = { group: '', version: 'v1', kind: 'Node' }

/**
 * A pod on a node asks for no more than the node has.
 *
 * @throws ApiError 403
 */
export function checkPodResize(attributes: AdmissionAttributes): void {
  const { resource, subresource, object, old, state, name } = attributes
  if (subresource !== 'resize' || resource.table !== '/pods' || !object) return
  const spec = objectAt(object, 'spec')
  const nodeName = textAt(spec, 'nodeName')
  if (nodeName === '' || object.metadata.generation === old?.metadata.generation) return
  const node = state.objects.get(NODE, { namespace: '', name: nodeName })
  if (!node) throw refuse(attributes, `node "${nodeName}" not found`)
  const system = node.metadata.labels?.['kubernetes.io/os'] ?? 'linux'
  if (system !== 'linux') {
    const cause = `pod resize is only supported on linux nodes, node "${nodeName}" is "${system}"`
    throw forbidden(resource, name, cause, [{ reason: 'UnsupportedPlatform', message: '' }])
  }
  const missing = missingIn(objectAt(objectAt(node, 'status'), 'allocatable'), wholePod(spec).requests)
  if (missing.length === 0) return
  const cause = `node didn't have enough allocatable resources: ${missing.join('; ')}`
  throw forbidden(resource, name, cause, [{ reason: 'NodeCapacity', message: '' }])
}

type Amounts = ReturnType<typeof objectAt>

/** In thousandths of a CPU, and in bytes. */
const UNITS = { cpu: 1_000_000n, memory: 1_000_000_000n }

function missingIn(allocatable: Amounts, requests: Amounts): readonly string[] {
  return Object.entries(UNITS).flatMap(([name, unit]) => {
    if (compareQuantities(requests[name], allocatable[name]) <= 0) return []
    const shown = (amounts: Amounts): bigint => (nanosOf(amounts[name]) + unit - 1n) / unit
    return [`${name}, requested: ${shown(requests)}, allocatable: ${shown(allocatable)}`]
  })
}
