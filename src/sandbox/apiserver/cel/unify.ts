import { type CelType, DYN, listOf, mapOf, opaqueType, printType, sameType, typeOf } from './cel-type.ts'

/** What type parameters stand for so far. */
export type Substitutions = Map<string, CelType>

/** The substitutions under which `b` may be used as `a`; undefined when there are none. */
export function assignable(
  known: Substitutions,
  a: readonly CelType[],
  b: readonly CelType[],
): Substitutions | undefined {
  const substitutions = new Map(known)
  return allAssignable(substitutions, a, b) ? substitutions : undefined
}

/** Replaces type parameters by what they stand for; with `toDyn`, also those that stand for nothing. */
export function substitute(known: Substitutions, type: CelType, toDyn = false): CelType {
  const found = known.get(keyOf(type))
  if (found) return substitute(known, found, toDyn)
  if (type.kind === 'param') return toDyn ? DYN : type
  if (type.params.length === 0) return type
  const params = type.params.map((param) => substitute(known, param, toDyn))
  const [first, second] = params as [CelType, CelType]
  if (params.every((param, at) => param === type.params[at])) return type
  if (type.kind === 'list') return listOf(first, type.json)
  if (type.kind === 'map') return mapOf(first, second, type.json)
  return type.kind === 'type' ? typeOf(first) : opaqueType(type.name, params)
}

export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b
}

export function isDynamic({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error'
}

function keyOf(type: CelType): string {
  return type.kind === 'param' ? type.name : printType(type)
}

function allAssignable(known: Substitutions, a: readonly CelType[], b: readonly CelType[]): boolean {
  return a.length === b.length && a.every((type, at) => isAssignable(known, type, b[at] as CelType))
}

function isAssignable(known: Substitutions, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { valid, known: hasOne } = replaces(known, a, b)
    if (valid || hasOne) return valid
  }
  if (a.kind === 'param') return replaces(known, b, a).valid
  if (isDynamic(a) || isDynamic(b)) return true
  if (a.kind === 'null') return takesNull(b)
  if (b.kind === 'null') return takesNull(a)
  if (a.kind === 'type') return b.kind === 'type'
  if (a.kind !== b.kind || a.name !== b.name) return false
  return allAssignable(known, a.params, b.params)
}

function takesNull({ kind }: CelType): boolean {
  return kind === 'null' || kind === 'opaque' || kind === 'object' || kind === 'duration' || kind === 'timestamp'
}

/** Whether the parameter may stand for the type; if so, it does from now on. */
function replaces(known: Substitutions, type: CelType, param: CelType): { valid: boolean; known: boolean } {
  if (sameType(type, param)) return { valid: true, known: true }
  const current = known.get(keyOf(param))
  if (!current) {
    const valid = !isReferenced(known, param, type)
    if (valid) known.set(keyOf(param), type)
    return { valid, known: false }
  }
  if (sameType(type, current)) return { valid: true, known: true }
  if (!isAssignable(known, type, current)) return { valid: false, known: true }
  const general = mostGeneral(type, current)
  if (!isReferenced(known, param, general)) known.set(keyOf(param), general)
  return { valid: true, known: true }
}

function isReferenced(known: Substitutions, param: CelType, within: CelType): boolean {
  if (sameType(param, within)) return true
  const stands = within.kind === 'param' ? known.get(keyOf(within)) : undefined
  if (stands) return isReferenced(known, param, stands)
  return within.params.some((inner) => isReferenced(known, param, inner))
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false
  if (a.kind === 'type') return true
  return a.params.every((param, at) => isLessSpecific(param, b.params[at] as CelType))
}
