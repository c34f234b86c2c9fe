import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, forbidden, inRange, invalid, notSupported, required } from '../common/field-errors.ts'
import { numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateFixedSpec } from './fixed-specs.ts'

const ROUND_TRIP = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
const MAX_QUEUES = 10_000_000
/** Of a request, as far as it chooses queues. */
const HASH_BITS = 60

export function validatePriorityLevel(object: KubeObject): FieldErrors {
  const { name = '', annotations = {} } = object.metadata
  return [
    ...(annotations[ROUND_TRIP] === undefined
      ? []
      : [forbidden('metadata.annotations', `annotation '${ROUND_TRIP}' is forbidden`)]),
    ...validateSpec(objectAt(object, 'spec'), name),
    ...validateFixedSpec(object),
  ]
}

function validateSpec(spec: JsonObject, name: string): FieldErrors {
  const type = textAt(spec, 'type')
  const misnamed = (name === 'exempt') !== (type === 'Exempt')
  return [
    ...(misnamed ? [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")] : []),
    ...validateByType(spec, type),
  ]
}

function validateByType({ limited, exempt }: JsonObject, type: string): FieldErrors {
  if (type === 'Exempt') {
    return [
      ...(limited === undefined ? [] : [forbidden('spec.limited', 'must be nil if the type is not Limited')]),
      ...(isJsonObject(exempt) ? validateShares(exempt, 'spec.exempt') : []),
    ]
  }
  if (type === 'Limited') {
    return [
      ...(exempt === undefined ? [] : [forbidden('spec.exempt', 'must be nil if the type is Limited')]),
      ...(isJsonObject(limited)
        ? validateLimited(limited, 'spec.limited')
        : [required('spec.limited', 'must not be empty when type is Limited')]),
    ]
  }
  return type === '' ? [required('spec.type')] : [notSupported('spec.type', type, ['Exempt', 'Limited'])]
}

function validateShares(level: JsonObject, field: string): FieldErrors {
  return [
    ...validateShareCount(level, field),
    ...inRange(`${field}.lendablePercent`, numberAt(level, 'lendablePercent'), [0, 100]),
  ]
}

function validateShareCount(level: JsonObject, field: string): FieldErrors {
  const shares = numberAt(level, 'nominalConcurrencyShares')
  return shares < 0 ? [invalid(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')] : []
}

function validateLimited(limited: JsonObject, field: string): FieldErrors {
  const borrowing = numberAt(limited, 'borrowingLimitPercent')
  const place = `${field}.borrowingLimitPercent`
  return [
    ...validateShareCount(limited, field),
    ...validateResponse(objectAt(limited, 'limitResponse'), `${field}.limitResponse`),
    ...inRange(`${field}.lendablePercent`, numberAt(limited, 'lendablePercent'), [0, 100]),
    ...(borrowing < 0 ? [invalid(place, borrowing, 'if specified, must be a non-negative integer')] : []),
  ]
}

function validateResponse(response: JsonObject, field: string): FieldErrors {
  const { queuing } = response
  const type = textAt(response, 'type')
  const place = `${field}.queuing`
  if (type === 'Reject') {
    const text = 'must be nil if limited.limitResponse.type is not Limited'
    return queuing === undefined ? [] : [forbidden(place, text)]
  }
  if (type === 'Queue') {
    const text = 'must not be empty if limited.limitResponse.type is Limited'
    return isJsonObject(queuing) ? validateQueuing(queuing, place) : [required(place, text)]
  }
  return type === '' ? [required(`${field}.type`)] : [notSupported(`${field}.type`, type, ['Queue', 'Reject'])]
}

function validateQueuing(queuing: JsonObject, field: string): FieldErrors {
  const [queues, length] = [numberAt(queuing, 'queues'), numberAt(queuing, 'queueLengthLimit')]
  const tooMany = `must not be greater than ${MAX_QUEUES}`
  return [
    ...(length <= 0 ? [invalid(`${field}.queueLengthLimit`, length, 'must be positive')] : []),
    ...(queues <= 0 ? [invalid(`${field}.queues`, queues, 'must be positive')] : []),
    ...(queues > MAX_QUEUES ? [invalid(`${field}.queues`, queues, tooMany)] : []),
    ...validateHand(numberAt(queuing, 'handSize'), queues, `${field}.handSize`),
  ]
}

function validateHand(size: number, queues: number, field: string): FieldErrors {
  if (size <= 0) return [invalid(field, size, 'must be positive')]
  if (size > queues) return [invalid(field, size, `should not be greater than queues (${queues})`)]
  if (bitsFor(queues, size) <= HASH_BITS) return []
  const text = `required entropy bits of deckSize ${queues} and handSize ${size} should not be greater than ${HASH_BITS}`
  return [invalid(field, size, text)]
}

/** How much chance it takes to deal a hand of cards. */
function bitsFor(deck: number, hand: number): number {
  return Math.ceil(Math.log2(deck) * hand)
}
