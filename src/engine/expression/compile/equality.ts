import { isFunctionValue, isListValue, type Value } from '../value.ts'
import type { Budget } from './budget.ts'

/** JSONata's `=` on two values that exist: deep, key order aside. */
export function isDeepEqual(left: Value, right: Value, budget: Budget): boolean {
  if (typeof left === 'string' && typeof right === 'string') return areTextsEqual(left, right, budget)
  budget.step()
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  budget.enter()
  const equal =
    isListValue(left) && isListValue(right)
      ? areListsEqual(left, right, budget)
      : areObjectsEqual(left as Fields, right as Fields, budget)
  budget.leave()
  return equal
}

type Fields = { readonly [key: string]: Value }

/** Texts are charged by length: comparing two long ones is work. */
function areTextsEqual(left: string, right: string, budget: Budget): boolean {
  budget.step(left.length === right.length ? 1 + (left.length >>> 6) : 1)
  return left === right
}

function areListsEqual(left: readonly Value[], right: readonly Value[], budget: Budget): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index += 1) {
    if (!isDeepEqual(left[index], right[index], budget)) return false
  }
  return true
}

function areObjectsEqual(left: Fields, right: Fields, budget: Budget): boolean {
  if (Array.isArray(left) || Array.isArray(right) || isFunctionValue(left) || isFunctionValue(right)) return false
  const keys = Object.keys(left)
  budget.step(keys.length)
  if (keys.length !== Object.keys(right).length) return false
  for (const key of keys) if (!Object.hasOwn(right, key)) return false
  for (const key of keys) if (!isDeepEqual(left[key], right[key], budget)) return false
  return true
}
