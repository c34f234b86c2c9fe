import { addMark, hasMark, isListValue, MARK, type Value } from '../value.ts'

/** What a node hands on: a sequence of none is nothing, a sequence of one its item, unless `[]` says to keep the list. */
export function settle(value: Value, keepArray: boolean): Value {
  if (!isListValue(value) || !hasMark(value, MARK.sequence) || hasMark(value, MARK.tuples)) return value
  if (keepArray) addMark(value, MARK.keepSingleton)
  if (value.length === 0) return undefined
  return value.length === 1 && !hasMark(value, MARK.keepSingleton) ? value[0] : value
}
