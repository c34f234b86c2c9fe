import type { JsonObject } from '../../../core/base/json.ts'
import { checkLabelKey } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid } from './common/field-errors.ts'
import { itemsAt, objectAt } from './common/fields.ts'
import { validateConfiguration } from './devices/configuration-validation.ts'
import { validateList } from './devices/lists.ts'
import { validateSelectors } from './devices/selector-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'resource.k8s.io', version: 'v1', kind: 'DeviceClass' }
const MOST_CONFIGURATIONS = 32

/** Devices of a kind, and how they are set up. */
export const deviceClass: KindRules = {
  gvk,
  nameFormat: 'long-name',
  validate: (object) => validateSpec(objectAt(object, 'spec'), 'spec'),
  generationFields: [['spec']],
  columns: columnsOf(gvk),
}

function validateSpec(spec: JsonObject, field: string): FieldErrors {
  const { extendedResourceName: name } = spec
  return [
    ...validateSelectors(spec, field),
    ...validateList(itemsAt(spec, 'config'), MOST_CONFIGURATIONS, `${field}.config`, validateConfiguration),
    ...(typeof name === 'string' && !isExtended(name)
      ? [invalid(`${field}.extendedResourceName`, name, 'must be a valid extended resource name')]
      : []),
  ]
}

/** Of a domain that is not Kubernetes' own, and short enough for a quota. */
function isExtended(name: string): boolean {
  if (!name.includes('/') || /(^|\.)kubernetes\.io\//.test(name) || name.startsWith('requests.')) return false
  return checkLabelKey(`requests.${name}`).length === 0
}
