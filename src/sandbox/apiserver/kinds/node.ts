import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import { keepField, keepStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'

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
  applyDefaults: (object) => {
    const status = withDefaults(objectAt(object, 'status'), { daemonEndpoints: {}, nodeInfo: {} })
    return { ...withDefaults(object, { spec: {} }), status: statusDefaults(status) }
  },
  // A node comes with its status, and untrusted until it says that it is ready.
  prepareForCreate: (object) => {
    const spec = objectAt(object, 'spec')
    const taints = itemsAt(spec, 'taints')
    const isTainted = taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)
    return isTainted ? object : { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } }
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
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
