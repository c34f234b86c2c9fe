import { type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, forbidden, invalid } from './common/field-errors.ts'
import { itemsAt, mapField, objectAt, textAt } from './common/fields.ts'
import { keepStatus } from './common/strategies.ts'
import { defaultClaimSpec, defaultClaimStatus, validateClaimSpec } from './devices/claim-spec.ts'
import { validateClaimStatus, withoutReturnedDevices } from './devices/claim-status.ts'
import { claimSpecStruct } from './devices/claim-structs.ts'
import type { KindContext, KindRules } from './kind-rules.ts'

const gvk = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' }
const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const ADMIN_LABEL = 'resource.kubernetes.io/admin-access'

/** Devices that a user asks for, and the devices that were allocated. */
export const resourceClaim: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => mapField(mapField(object, 'spec', defaultClaimSpec), 'status', defaultClaimStatus),
  prepareForCreate: (object) => ({ ...object, status: {} }),
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate,
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
  validate,
  validateStatusUpdate: (object, old, context) => [
    ...validateAdminStatus(object, old, context),
    ...validateClaimStatus(object, old, context.stored),
  ],
  columns: columnsOf(gvk, { State: stateOf }),
}

function prepareForStatusUpdate(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields, resourceVersion } = object.metadata
  const metadata = { ...old.metadata, managedFields, resourceVersion } as KubeObject['metadata']
  return { ...old, metadata, status: withoutReturnedDevices(objectAt(object, 'status'), objectAt(old, 'status')) }
}

function validate(object: KubeObject, old: KubeObject | undefined, context: KindContext): FieldErrors {
  const spec = objectAt(object, 'spec')
  if (!old) return [...validateAdmins(object, context), ...validateClaimSpec(spec, 'spec')]
  if (jsonEquals(objectAt(context.stored(object), 'spec'), objectAt(old, 'spec'))) return []
  return [asStruct(invalid('spec', claimSpecStruct(spec), 'field is immutable'))]
}

/** Only namespaces with a label may have access to devices that others use. */
function validateAdmins(object: KubeObject, context: KindContext): FieldErrors {
  if (letsAdminsIn(object, context)) return []
  const { spec } = object
  const requests = itemsAt(objectAt(spec as JsonObject, 'devices'), 'requests')
  return requests.flatMap((request, index) => {
    const isAdmin = objectAt(request, 'exactly').adminAccess === true
    return isAdmin ? [forbidden(`spec.devices.requests[${index}].adminAccess`, NO_ADMINS)] : []
  })
}

const NO_ADMINS = `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`

function letsAdminsIn({ metadata }: KubeObject, { objects }: KindContext): boolean {
  const namespace = objects.get(NAMESPACE, { namespace: '', name: metadata.namespace ?? '' })
  return namespace?.metadata.labels?.[ADMIN_LABEL] === 'true'
}

/** The same of the first result that has such access; what was granted before stays. */
function validateAdminStatus(object: KubeObject, old: KubeObject, context: KindContext): FieldErrors {
  const firstOf = ({ status }: KubeObject): number => {
    const devices = objectAt(objectAt(status as JsonObject | undefined, 'allocation'), 'devices')
    return itemsAt(devices, 'results').findIndex(({ adminAccess }) => adminAccess === true)
  }
  const index = firstOf(object)
  if (index < 0 || firstOf(old) >= 0 || letsAdminsIn(object, context)) return []
  return [forbidden(`status.allocation.devices.results[${index}].adminAccess`, NO_ADMINS)]
}

function stateOf(object: KubeObject): JsonValue {
  const status = objectAt(object, 'status')
  const isDeleted = object.metadata.deletionTimestamp !== undefined
  const isAllocated = status.allocation !== undefined
  const states = [
    isDeleted && 'deleted',
    isAllocated ? 'allocated' : !isDeleted && 'pending',
    isAllocated && itemsAt(status, 'reservedFor').some((each) => textAt(each, 'uid') !== '') && 'reserved',
  ]
  return states.filter(Boolean).join(',')
}
