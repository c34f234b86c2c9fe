import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, notSupported, required } from '../common/field-errors.ts'
import { textAt } from '../common/fields.ts'
import { canonicalQuantity, nanosOf } from '../common/quantity.ts'

const RESOURCE_FIELDS = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]

/** A reference to a request or a limit of a container. */
export function validateResourceFieldRef(source: JsonObject, field: string): FieldErrors {
  const resource = textAt(source, 'resource')
  const isKnown = RESOURCE_FIELDS.includes(resource) || HUGE_PAGES.test(resource)
  return [
    ...(resource === '' ? [required(`${field}.resource`)] : []),
    ...(resource === '' || isKnown ? [] : [notSupported(`${field}.resource`, resource, RESOURCE_FIELDS)]),
    ...validateDivisor(resource, source.divisor, `${field}.divisor`),
  ]
}

const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/
const BYTES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

interface Divisors {
  readonly resource: RegExp
  readonly values: readonly string[]
  readonly detail: string
}

function divisorsOfBytes(resource: RegExp, name: string): Divisors {
  const detail = `only divisor's values ${BYTES.join(', ')} are supported with the ${name} resource`
  return { resource, values: BYTES, detail }
}

/** In which units an amount can be shown. */
const DIVISORS: readonly Divisors[] = [
  {
    resource: /^(?:limits|requests)\.cpu$/,
    values: ['1m', '1'],
    detail: "only divisor's values 1m and 1 are supported with the cpu resource",
  },
  divisorsOfBytes(/^(?:limits|requests)\.memory$/, 'memory'),
  divisorsOfBytes(/^(?:limits|requests)\.ephemeral-storage$/, 'local ephemeral storage'),
  divisorsOfBytes(HUGE_PAGES, 'hugepages'),
]

/** The server shows the resource, not its divisor. */
export function validateDivisor(resource: string, divisor: JsonValue = '0', field: string): FieldErrors {
  if (nanosOf(divisor) === 0n) return []
  const shown = canonicalQuantity(divisor) ?? ''
  return DIVISORS.filter((each) => each.resource.test(resource) && !each.values.includes(shown)).map(({ detail }) =>
    invalid(field, resource, detail),
  )
}
