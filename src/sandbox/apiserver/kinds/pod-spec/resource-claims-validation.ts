import type { JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkSubdomain } from '../../write/names.ts'
import {
  asStruct,
  duplicate,
  type FieldErrors,
  invalid,
  invalidFor,
  notFound,
  required,
} from '../common/field-errors.ts'
import { itemsAt, textAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'

const SOURCES = ['resourceClaimName', 'resourceClaimTemplateName'] as const
const GO_FIELDS = ['Name', 'ResourceClaimName', 'ResourceClaimTemplateName']

/** `resourceClaims` of a pod: each has a name of its own, and one source. */
export function validatePodClaims(spec: JsonObject, field: string): FieldErrors {
  const names = new Set<string>()
  return itemsAt(spec, 'resourceClaims').flatMap((claim, index) => {
    const place = `${field}[${index}]`
    return [
      ...validateClaimName(textAt(claim, 'name'), `${place}.name`, names),
      ...validateSource(claim, place),
      ...SOURCES.flatMap((name) => {
        const value = claim[name]
        return typeof value === 'string' ? invalidFor(`${place}.${name}`, value, checkSubdomain(value)) : []
      }),
    ]
  })
}

function validateClaimName(name: string, field: string, names: Set<string>): FieldErrors {
  if (name === '') return [required(field)]
  if (names.has(name)) return [duplicate(field, name)]
  names.add(name)
  return invalidFor(field, name, checkLabel(name))
}

function validateSource(claim: JsonObject, field: string): FieldErrors {
  const given = SOURCES.filter((name) => claim[name] !== undefined)
  const shown = { ...asGoStruct(claim, GO_FIELDS, null), Name: textAt(claim, 'name') }
  const both = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
  const neither = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
  if (given.length === 1) return []
  return [asStruct(invalid(field, shown, given.length === 0 ? neither : both))]
}

/** The names by which containers of a pod can ask for its claims. */
export function claimNamesOf(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    itemsAt(spec, 'resourceClaims')
      .map((claim) => textAt(claim, 'name'))
      .filter((name) => name !== ''),
  )
}

/** `claims` of the resources of a container or a pod: claims of the pod, whole or one request of them, each once. */
export function validateClaimUses(resources: JsonObject, field: string, known: ReadonlySet<string>): FieldErrors {
  const uses = new Set<string>()
  return itemsAt(resources, 'claims').flatMap((claim, index) => {
    const place = `${field}[${index}]`
    const name = textAt(claim, 'name')
    if (name === '') return [required(place)]
    return [...validateUse(name, textAt(claim, 'request'), place, uses), ...validateKnown(name, place, known)]
  })
}

function validateUse(name: string, request: string, field: string, uses: Set<string>): FieldErrors {
  if (uses.has(name)) return [duplicate(field, name)]
  const key = request === '' ? name : `${name}/${request}`
  const parts = request === '' ? [...uses].filter((use) => use.startsWith(`${name}/`)) : []
  const isRepeated = uses.has(key)
  uses.add(key)
  return [
    ...(request === '' ? [] : invalidFor(`${field}.request`, request, checkLabel(request))),
    ...(isRepeated ? [duplicate(field, key)] : parts.map(() => duplicate(field, name))),
  ]
}

function validateKnown(name: string, field: string, known: ReadonlySet<string>): FieldErrors {
  if (known.has(name)) return []
  const list = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`
  return [{ ...notFound(field, name), detail: `must be one of the names in pod.spec.resourceClaims${list}` }]
}
