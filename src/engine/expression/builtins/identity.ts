import type { Budget } from '../compile/budget.ts'
import { isFunctionValue, type Value } from '../value.ts'
import { payText } from './cost.ts'

/**
 * What two values share when, and only when, they are deeply equal: compared with `===`, or as a key of a `Map`.
 *
 * Finding equals among many is then one pass, not one comparison for every pair.
 */
export function identify(value: Value, budget: Budget): unknown {
  budget.step()
  if (typeof value === 'number') return identifyNumber(value)
  if (typeof value === 'string') return `s${value}`
  if (typeof value !== 'object' || value === null || isFunctionValue(value)) return value
  const text = describe(value as Container, budget)
  return `j${text}`
}

/** NaN equals nothing, not even itself. */
function identifyNumber(value: number): unknown {
  if (Number.isNaN(value)) return Symbol('NaN')
  return value === 0 ? 0 : value
}

type Container = readonly Value[] | { readonly [key: string]: Value }

/** Canonical text: keys sorted, every part marked with its type. */
function describe(value: Container, budget: Budget): string {
  budget.enter()
  const parts = Array.isArray(value)
    ? value.map((item: Value) => describePart(item, budget))
    : describeEntries(value as { readonly [key: string]: Value }, budget)
  budget.leave()
  payText(
    budget,
    parts.reduce((total, part) => total + part.length + 1, 2),
  )
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

function describeEntries(object: { readonly [key: string]: Value }, budget: Budget): string[] {
  const keys = Object.keys(object).sort()
  budget.step(keys.length)
  return keys.map((key) => `${JSON.stringify(key)}:${describePart(object[key], budget)}`)
}

function describePart(value: Value, budget: Budget): string {
  budget.step()
  if (typeof value === 'string') {
    payText(budget, value.length)
    return JSON.stringify(value)
  }
  if (typeof value === 'number') return Number.isNaN(value) ? describeUnequal() : String(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return isFunctionValue(value) ? describeObject(value) : describe(value as Container, budget)
}

const identities = new WeakMap<object, string>()
let lastIdentity = 0

/** Functions are equal only to themselves. */
function describeObject(value: object): string {
  let identity = identities.get(value)
  if (identity === undefined) {
    identity = describeUnequal()
    identities.set(value, identity)
  }
  return identity
}

function describeUnequal(): string {
  lastIdentity += 1
  return `#${lastIdentity}`
}
