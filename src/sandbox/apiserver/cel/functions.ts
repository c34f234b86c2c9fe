import type { Overload } from './environment.ts'
import { ARITHMETIC } from './functions/arithmetic.ts'
import { AUTHORIZATION } from './functions/authorization.ts'
import { CIDRS } from './functions/cidr.ts'
import { CONVERSIONS } from './functions/conversions.ts'
import { FORMATS } from './functions/format.ts'
import { IPS } from './functions/ip.ts'
import { JSON_PATCHES } from './functions/json-patch.ts'
import { KUBERNETES_LISTS } from './functions/kubernetes-lists.ts'
import { LISTS } from './functions/lists.ts'
import { OPERATORS } from './functions/operators.ts'
import { OPTIONALS } from './functions/optionals.ts'
import { QUANTITIES } from './functions/quantity.ts'
import { REGEXES } from './functions/regex.ts'
import { SEMVERS } from './functions/semver.ts'
import { SETS } from './functions/sets.ts'
import { STRINGS } from './functions/strings.ts'
import { TIMES } from './functions/times.ts'
import { URLS } from './functions/url.ts'
import { overloadsOf } from './signature.ts'

export type CelFunctions = ReadonlyMap<string, readonly Overload[]>

/**
 * All functions that an expression can call: those of CEL, of its extensions that Kubernetes uses, and of Kubernetes. Their
 * signatures are read when the first expression is compiled: most servers never see one.
 */
export function celFunctions(): CelFunctions {
  functions ??= Map.groupBy(
    [
      ...[OPERATORS, ARITHMETIC, CONVERSIONS, STRINGS, TIMES, OPTIONALS, LISTS, SETS],
      ...[KUBERNETES_LISTS, REGEXES, URLS, QUANTITIES, IPS, CIDRS, FORMATS, SEMVERS, AUTHORIZATION],
    ].flatMap(overloadsOf),
    ({ name }) => name,
  )
  return functions
}

let functions: CelFunctions | undefined

/** The same, and those of expressions that make patches. */
export function patchFunctions(): CelFunctions {
  functionsOfPatches ??= new Map([...celFunctions(), ...Map.groupBy(overloadsOf(JSON_PATCHES), ({ name }) => name)])
  return functionsOfPatches
}

let functionsOfPatches: CelFunctions | undefined
