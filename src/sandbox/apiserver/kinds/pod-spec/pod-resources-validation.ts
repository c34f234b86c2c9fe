import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, notSupported } from '../common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries } from '../common/fields.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { compareQuantities } from '../common/quantity.ts'
import { validateResourceName } from '../common/resource-names.ts'
import { amountsOfContainers } from './container-amounts.ts'
import { claimNamesOf, validateClaimUses } from './resource-claims-validation.ts'
import { validateAmounts } from './resources-validation.ts'

/** Those that a pod can have as a whole; huge pages of all sizes come in addition. */
const OF_PODS = ['cpu', 'memory']

/** `resources` of a pod, from which its containers take. */
export function validatePodResources(spec: JsonObject, field: string): FieldErrors {
  const { resources } = spec
  if (!isJsonObject(resources)) return []
  if (objectAt(spec, 'os').name === 'windows') return [forbidden(field, 'may not be set for a windows pod')]
  const { claims } = resources
  return [
    ...(claims === undefined ? [] : [forbidden(`${field}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...validateOwn(resources, field),
    ...validateClaimUses(resources, `${field}.claims`, claimNamesOf(spec)),
    ...validateRequestsOfContainers(spec, resources, `${field}.requests`),
    ...validateHugePagesOfContainers(spec, resources, `${field}.limits`),
    ...validateLimitsOfContainers(spec, resources, `${field}.containers`),
  ]
}

const validateOwn = judgeOnce((resources: JsonObject, field) => validateAmounts(resources, field, validateName))

function validateName(name: string, field: string): FieldErrors {
  const errors = validateResourceName(name, field)
  if (errors.length > 0 || OF_PODS.includes(name) || name.startsWith('hugepages-')) return errors
  return [notSupported(field, name, OF_PODS)]
}

/** What all containers ask for together. */
function validateRequestsOfContainers(spec: JsonObject, resources: JsonObject, field: string): FieldErrors {
  const own = objectAt(resources, 'requests')
  return sortedEntries(amountsOfContainers(spec, 'requests')).flatMap(([name, total]) => {
    const amount = own[name]
    if (amount === undefined || compareQuantities(total, amount) <= 0) return []
    const detail = `must be greater than or equal to aggregate container requests of ${total}`
    return [invalid(`${field}[${name}]`, amount, detail)]
  })
}

function validateHugePagesOfContainers(spec: JsonObject, resources: JsonObject, field: string): FieldErrors {
  const own = objectAt(resources, 'limits')
  return sortedEntries(amountsOfContainers(spec, 'limits')).flatMap(([name, total]) => {
    const amount = own[name]
    if (!name.startsWith('hugepages-') || amount === undefined || compareQuantities(total, amount) <= 0) return []
    const detail = `must be greater than or equal to aggregate container limits of ${total}`
    return [invalid(`${field}[${name}]`, amount, detail)]
  })
}

/** What each of the containers may have. */
function validateLimitsOfContainers(spec: JsonObject, resources: JsonObject, field: string): FieldErrors {
  const own = objectAt(resources, 'limits')
  return itemsAt(spec, 'containers').flatMap((container, index) =>
    sortedEntries(objectAt(objectAt(container, 'resources'), 'limits')).flatMap(([name, limit]) => {
      const most = own[name]
      if (most === undefined || compareQuantities(limit, most) <= 0) return []
      const place = `${field}[${index}][${name}].limits`
      return [invalid(place, limit, `must be less than or equal to pod limits of ${most}`)]
    }),
  )
}
