import { isFunctionValue, type Value } from '../value.ts'

/** The field of an object of the data: own fields only, and a function has none. */
export function ownField(value: object, name: string): Value {
  if (!Object.hasOwn(value, name) || isFunctionValue(value)) return undefined
  return (value as { readonly [key: string]: Value })[name]
}
