import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import { keepField, keepStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { validateNode, validateNodeUpdate } from './node-validation.ts'

const gvk = { group: '', version: 'v1', kind: 'Node' }
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

const address = (type: string) => (object: KubeObject) => {
  const found = itemsAt(objectAt(object, 'status'), 'addresses').find((each) => each.type === type)
  return textAt(found, 'address') || '<none>'
}
const info = (name: string) => (object: KubeObject) =>
  textAt(objectAt(objectAt(object, 'status'), 'nodeInfo'), name) || '<unknown>'

export const node: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => {
    const status = withDefaults(objectAt(object, 'status'), { daemonEndpoints: {}, nodeInfo: {} })
    const spec = withLeadingRange(objectAt(object, 'spec'))
    return { ...object, spec, status: statusDefaults(status) }
  },
  // A node comes with its status, and untrusted until it says that it is ready.
  prepareForCreate: (given) => {
    const object = withoutConfig(given)
    const spec = objectAt(object, 'spec')
    const taints = itemsAt(spec, 'taints')
    const isTainted = taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)
    return isTainted ? object : { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } }
  },
  prepareForUpdate: (object, old) => keepStatus(withoutConfig(object), old),
  prepareForStatusUpdate: (object, old) => keepField(withoutConfig(object), old, 'spec'),
  validate: validateNode,
  validateStatusUpdate: validateNodeUpdate,
  warnings: (object) => (objectAt(object, 'spec').externalID ? [EXTERNAL_ID] : []),
  resetFields: { main: [['status']], status: [['spec']] },
  fieldSelectors: {
    'spec.unschedulable': (object) => String(objectAt(object, 'spec').unschedulable === true),
  },
  columns: columnsOf(gvk, {
    Status: statusOf,
    Roles: rolesOf,
    Version: (object) => textAt(objectAt(objectAt(object, 'status'), 'nodeInfo'), 'kubeletVersion'),
    'Internal-IP': address('InternalIP'),
    'External-IP': address('ExternalIP'),
    'OS-Image': info('osImage'),
    'Kernel-Version': (object) => {
      const architecture = textAt(objectAt(objectAt(object, 'status'), 'nodeInfo'), 'architecture')
      return `${info('kernelVersion')(object)}${architecture === '' ? '' : ` (${architecture})`}`
    },
    'Container-Runtime': info('containerRuntimeVersion'),
  }),
}

/** The first of `podCIDRs` stands in a field of its own, too, which counts more. */
function withLeadingRange(spec: JsonObject): JsonObject {
  const { podCIDR: leader = '', podCIDRs } = spec
  const [first = ''] = textsAt(spec, 'podCIDRs')
  if (leader === '' && podCIDRs === undefined) return spec
  if (leader !== '' && leader !== first) return { ...spec, podCIDRs: [leader] }
  return leader === '' ? { ...spec, podCIDR: first } : spec
}

const EXTERNAL_ID = 'spec.externalID: this field is deprecated, and is unused by Kubernetes'

/** Kubelets are not configured by objects any more. */
function withoutConfig(object: KubeObject): KubeObject {
  const withoutSource = mapField(object, 'spec', ({ configSource: _source, ...spec }) => spec)
  return mapField(withoutSource, 'status', ({ config: _config, ...status }) => status)
}

function statusDefaults(given: JsonObject): JsonObject {
  const status = mapField(mapField(given, 'capacity', canonicalResources), 'allocatable', canonicalResources)
  return status.capacity === undefined ? status : withDefaults(status, { allocatable: status.capacity })
}

function statusOf(object: KubeObject): string {
  const ready = itemsAt(objectAt(object, 'status'), 'conditions').find(({ type }) => type === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return objectAt(object, 'spec').unschedulable === true ? `${word},SchedulingDisabled` : word
}

const ROLE = 'node-role.kubernetes.io/'

function rolesOf({ metadata }: KubeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([name, value]) => {
    if (name.startsWith(ROLE)) return [name.slice(ROLE.length)]
    return name === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return roles.length === 0 ? '<none>' : [...new Set(roles)].sort().join(',')
}
