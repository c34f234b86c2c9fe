import { checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor, required } from './field-errors.ts'

const PATH_TEXT = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"

/** `acme.io/foo`: who does something, by the domain of its maker. */
export function validateDomainPath(value: string, field: string): FieldErrors {
  if (value === '') return [required(field)]
  const slash = value.indexOf('/')
  const [host, path] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)]
  if (host === '' || path === '')
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  return [
    ...invalidFor(field, host, checkSubdomain(host)),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path) ? [] : [invalid(field, path, PATH_TEXT)]),
  ]
}
