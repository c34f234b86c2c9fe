import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkSubdomain } from '../../write/names.ts'
import { duplicate, type FieldErrors, invalid, invalidFor, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { claimNamesOf } from '../pod-spec/resource-claims-validation.ts'

/** Which ResourceClaims stand for the claims of a pod, and for the devices that its containers ask for by name. */
export function validateClaimStatuses(status: JsonObject, spec: JsonObject): FieldErrors {
  const { extendedResourceClaimStatus: extended } = status
  return [
    ...validateClaims(itemsAt(status, 'resourceClaimStatuses'), claimNamesOf(spec), 'status.resourceClaimStatuses'),
    ...(isJsonObject(extended) ? validateExtended(extended, spec, 'status.extendedResourceClaimStatus') : []),
  ]
}

function validateClaims(statuses: readonly JsonObject[], claims: ReadonlySet<string>, field: string): FieldErrors {
  const names = statuses.map((status) => textAt(status, 'name'))
  return names.flatMap((name, index) => {
    const place = `${field}[${index}]`
    const claim = statuses[index]?.resourceClaimName
    return [
      ...(claims.has(name)
        ? []
        : [invalid(`${place}.name`, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(names.indexOf(name) < index ? [duplicate(`${place}.name`, name)] : []),
      ...(typeof claim === 'string' ? invalidFor(`${place}.resourceClaimName`, claim, checkSubdomain(claim)) : []),
    ]
  })
}

function validateExtended(status: JsonObject, spec: JsonObject, field: string): FieldErrors {
  const mappings = itemsAt(status, 'requestMappings')
  const claim = textAt(status, 'resourceClaimName')
  const place = `${field}.resourceClaimName`
  return [
    ...(mappings.length === 0
      ? [required(`${field}.requestMappings`, 'at least one request mapping is required')]
      : []),
    ...validateMappings(mappings, spec, field),
    ...(claim === '' ? [required(place)] : invalidFor(place, claim, checkSubdomain(claim))),
  ]
}

const NAMES = ['containerName', 'resourceName', 'requestName'] as const

/** The server leaves the place of a mapping out where the name of its request is wrong. */
function validateMappings(mappings: readonly JsonObject[], spec: JsonObject, field: string): FieldErrors {
  const seen = new Set<string>()
  return mappings.flatMap((mapping, index) => {
    const place = `${field}.requestMappings[${index}]`
    const request = textAt(mapping, 'requestName')
    const key = JSON.stringify(NAMES.map((name) => textAt(mapping, name)))
    const isRepeated = seen.has(key)
    seen.add(key)
    return [
      ...validateMapping(mapping, spec, place),
      ...invalidFor(`${field}.requestName`, request, checkLabel(request)),
      ...(isRepeated ? NAMES.map((name) => duplicate(`${place}.${name}`, textAt(mapping, name))) : []),
    ]
  })
}

function validateMapping(mapping: JsonObject, spec: JsonObject, field: string): FieldErrors {
  const [name, resource] = [textAt(mapping, 'containerName'), textAt(mapping, 'resourceName')]
  const container = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].find(
    (each) => each.name === name,
  )
  if (!container) {
    const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name'
    return [invalid(`${field}.containerName`, name, detail)]
  }
  if (objectAt(objectAt(container, 'resources'), 'requests')[resource] !== undefined) return []
  const detail =
    'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests'
  return [invalid(`${field}.resourceName`, resource, detail)]
}
