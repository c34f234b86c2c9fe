import type { Overload } from './environment.ts'
import { ARITHMETIC } from './functions/arithmetic.ts'
import { CIDRS } from './functions/cidr.ts'
import { CONVERSIONS } from './functions/conversions.ts'
import { FORMATS } from './functions/format.ts'
import { IPS } from './functions/ip.ts'
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

/** All functions that an expression can call: those of CEL, of its extensions that Kubernetes uses, and of Kubernetes. */
export const FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = Map.groupBy(
  [
    ...[OPERATORS, ARITHMETIC, CONVERSIONS, STRINGS, TIMES, OPTIONALS, LISTS, SETS],
    ...[KUBERNETES_LISTS, REGEXES, URLS, QUANTITIES, IPS, CIDRS, FORMATS, SEMVERS],
  ].flatMap(overloadsOf),
  ({ name }) => name,
)
