import type { JsonValue } from '../../../core/base/json.ts'

/** Sets a field of a plain object, also one named `__proto__`, without touching a prototype. */
export function setField(object: { [name: string]: JsonValue | undefined }, name: string, value: JsonValue): void {
  if (name in object && !Object.hasOwn(object, name)) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[name] = value
  }
}
