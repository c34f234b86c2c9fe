import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { VOLUME_FIELDS, validateFieldRef } from './environment-validation.ts'
import { validateUnreservedPath } from './path-validation.ts'
import { validateDivisor, validateResourceFieldRef } from './resource-field-validation.ts'
import { requiredTexts } from './volume-sources.ts'

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive'

/** Of a ConfigMap or Secret, the keys that become files. */
export function validateKeyedFiles(source: JsonObject, field: string): FieldErrors {
  return [
    ...validateMode(source.defaultMode, `${field}.defaultMode`),
    ...itemsAt(source, 'items').flatMap((item, index) => validateKeyToPath(item, `${field}.items[${index}]`)),
  ]
}

export function validateKeyToPath(item: JsonObject, field: string): FieldErrors {
  return [
    ...requiredTexts(item, field, 'key', 'path'),
    ...validateUnreservedPath(textAt(item, 'path'), `${field}.path`),
    ...validateMode(item.mode, `${field}.mode`),
  ]
}

/** Fields of the pod that become files. The server names the volume here, not the file. */
export function validateDownwardFiles(source: JsonObject, field: string): FieldErrors {
  const files = itemsAt(source, 'items').flatMap((file) => [
    ...requiredTexts(file, field, 'path'),
    ...validateUnreservedPath(textAt(file, 'path'), `${field}.path`),
    ...validateDownwardSource(file, field),
    ...validateMode(file.mode, `${field}.mode`),
  ])
  return [...validateMode(source.defaultMode, `${field}.defaultMode`), ...files]
}

function validateDownwardSource(file: JsonObject, field: string): FieldErrors {
  const both = file.fieldRef !== undefined && file.resourceFieldRef !== undefined
  if (file.fieldRef !== undefined) {
    const text = 'fieldRef and resourceFieldRef can not be specified simultaneously'
    const errors = validateFieldRef(objectAt(file, 'fieldRef'), `${field}.fieldRef`, VOLUME_FIELDS)
    return both ? [...errors, invalid(field, 'resource', text)] : errors
  }
  if (file.resourceFieldRef === undefined) return [required(field, 'one of fieldRef and resourceFieldRef is required')]
  const reference = objectAt(file, 'resourceFieldRef')
  const place = `${field}.resourceFieldRef`
  // A container can speak of itself, a volume cannot.
  if (textAt(reference, 'containerName') !== '') return validateResourceFieldRef(reference, place)
  const divisors = validateDivisor(textAt(reference, 'resource'), reference.divisor, `${place}.divisor`)
  return [required(`${place}.containerName`), ...divisors]
}

export function validateMode(mode: JsonValue | undefined, field: string): FieldErrors {
  if (typeof mode !== 'number' || (mode >= 0 && mode <= 0o777)) return []
  return [invalid(field, mode, MODE)]
}
