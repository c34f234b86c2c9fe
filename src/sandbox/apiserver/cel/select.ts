import { CelRuntimeError } from './cel-error.ts'
import { CelList, CelMap, CelOptional, CelUint, type CelValue, typeNameOf } from './values.ts'

/** `value.field`; of an optional value, optionally. */
export function fieldOf(value: CelValue, field: string): CelValue {
  if (value instanceof CelOptional) return value.value === undefined ? value : optionalField(value.value, field)
  const found = value instanceof CelMap ? value.get(field) : undefined
  if (found === undefined) throw new CelRuntimeError(`no such key: ${field}`)
  return found
}

/** `has(value.field)` */
export function hasField(value: CelValue, field: string): boolean {
  if (value instanceof CelOptional) return value.value !== undefined && hasField(value.value, field)
  return value instanceof CelMap && value.get(field) !== undefined
}

/** `value[key]` */
export function elementAt(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelOptional) return value.value === undefined ? value : optionalElement(value.value, key)
  if (value instanceof CelList) return itemAt(value, key)
  const found = value instanceof CelMap ? value.get(key) : undefined
  if (found === undefined) throw new CelRuntimeError(`no such key: ${printKey(key)}`)
  return found
}

function itemAt(list: CelList, key: CelValue): CelValue {
  const index = key instanceof CelUint ? key.value : key
  const whole = typeof index === 'bigint' || (typeof index === 'number' && Number.isInteger(index))
  if (typeof index === 'number' && !whole) throw new CelRuntimeError(`unsupported index value ${index} in list`)
  if (!whole) throw new CelRuntimeError(`unsupported index type '${typeNameOf(index)}' in list`)
  if (index < 0 || index >= list.size) throw new CelRuntimeError(`index out of bounds: ${index}`)
  return list.at(Number(index))
}

function optionalField(value: CelValue, field: string): CelValue {
  const found = value instanceof CelMap ? value.get(field) : undefined
  return found === undefined ? CelOptional.none : new CelOptional(found)
}

function optionalElement(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelMap) {
    const found = value.get(key)
    return found === undefined ? CelOptional.none : new CelOptional(found)
  }
  const inRange = value instanceof CelList && typeof key === 'bigint' && key >= 0 && key < value.size
  return inRange ? new CelOptional(value.at(Number(key))) : CelOptional.none
}

function printKey(key: CelValue): string {
  return key instanceof CelUint ? String(key.value) : String(key)
}
