import { checkLabel, checkLabelKey, checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor, required, tooLong } from '../common/field-errors.ts'

const LONGEST_DRIVER = 63
const LONGEST_POOL = 253
const LONGEST_ID = 32
const ID = '[A-Za-z_][A-Za-z0-9_]*'
const ID_TEXT =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'"

/** A driver is named as a CSI driver is, letter case aside. */
export function validateDriver(name: string, field: string): FieldErrors {
  if (name === '') return [required(field)]
  return [
    ...(name.length > LONGEST_DRIVER ? [tooLong(field, LONGEST_DRIVER)] : []),
    ...invalidFor(field, name, checkSubdomain(name.toLowerCase())),
  ]
}

/** Names of pools are made of subdomains. */
export function validatePoolName(name: string, field: string): FieldErrors {
  if (name === '') return [required(field)]
  return [
    ...(name.length > LONGEST_POOL ? [tooLong(field, LONGEST_POOL)] : []),
    ...name.split('/').flatMap((part) => invalidFor(field, part, checkSubdomain(part))),
  ]
}

export function validateLabelName(name: string, field: string): FieldErrors {
  return invalidFor(field, name, checkLabel(name))
}

export function validateConditionName(name: string, field: string): FieldErrors {
  return invalidFor(field, name, checkLabelKey(name))
}

/** Of an attribute or a capacity: an identifier, or a domain and one. */
export function validateQualifiedName(name: string, field: string): FieldErrors {
  const [first = '', second, ...more] = name.split('/')
  if (second === undefined) return validateId(first, field)
  // The real server takes any number of slashes more.
  if (more.length > 0) return []
  return [
    ...(first === '' ? [invalid(field, '', 'the domain must not be empty')] : validateDriver(first, field)),
    ...(second === '' ? [invalid(field, '', 'the name must not be empty')] : validateId(second, field)),
  ]
}

export function validateFullyQualifiedName(name: string, field: string): FieldErrors {
  const text = 'a fully qualified name must be a domain and a name separated by a slash'
  return [...validateQualifiedName(name, field), ...(name.includes('/') ? [] : [invalid(field, name, text)])]
}

function validateId(id: string, field: string): FieldErrors {
  const examples = "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is"
  return [
    ...(id.length > LONGEST_ID ? [tooLong(field, LONGEST_ID)] : []),
    ...(new RegExp(`^${ID}$`).test(id) ? [] : [invalid(field, id, `${ID_TEXT} ${examples} '${ID}')`)]),
  ]
}

const HEX_UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** In the forms that the real server's library reads: with a prefix, in braces, and without hyphens. */
const UID_LENGTHS = [36, 36 + 'urn:uuid:'.length, 38, 32]

export function validateUid(uid: string, field: string): FieldErrors {
  const length = Buffer.byteLength(uid)
  if (!UID_LENGTHS.includes(length))
    return [invalid(field, uid, `error validating uid: invalid UUID length: ${length}`)]
  const bare = uid.replace(/^urn:uuid:/i, '').replace(/^\{(.*)\}$/, '$1')
  const isHex = length === 32 ? /^[0-9a-f]{32}$/i.test(uid) : HEX_UID.test(bare)
  if (!isHex) return [invalid(field, uid, 'error validating uid: invalid UUID format')]
  const text =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'
  return length === 36 && uid === uid.toLowerCase() ? [] : [invalid(field, uid, text)]
}
