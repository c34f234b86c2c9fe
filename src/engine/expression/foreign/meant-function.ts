import { nearestName } from '../../../core/base/nearest-name.ts'
import { rewrittenCall } from './foreign-functions.ts'

/** Functions of other languages that take the same arguments in the same order, by their names in small letters. */
const SAME: Readonly<Record<string, string>> = {
  substr: 'substring',
  upcase: 'uppercase',
  toupper: 'uppercase',
  downcase: 'lowercase',
  tolower: 'lowercase',
  atoi: 'number',
  toint: 'number',
  tonumber: 'number',
  tostring: 'string',
  tobool: 'boolean',
  pow: 'power',
  avg: 'average',
  mean: 'average',
  uniq: 'distinct',
  unique: 'distinct',
  typeof: 'type',
  defined: 'exists',
  isset: 'exists',
  reversed: 'reverse',
  sorted: 'sort',
  encodebase64: 'base64encode',
  b64decode: 'base64decode',
  b64dec: 'base64decode',
  decodebase64: 'base64decode',
  sha256sum: 'sha256',
}

const DEFAULT = 'a default is given by `??`: `spec.a ?? "x"`'
const CHOICE = 'a value is chosen by `… ? … : …`'
const SIZE = '`$length(…)` is the size of a text, `$count(…)` of a list'
const JOINED = 'texts are joined by `&`, lists by `$append(…)`'

/** What stands for functions of other languages that are not one function here. */
const OTHERWISE: Readonly<Record<string, string>> = {
  default: DEFAULT,
  coalesce: DEFAULT,
  nvl: DEFAULT,
  ifnull: DEFAULT,
  if: CHOICE,
  iif: CHOICE,
  ternary: CHOICE,
  len: SIZE,
  size: SIZE,
  concat: JOINED,
  format: JOINED,
  printf: JOINED,
  sprintf: JOINED,
  first: 'the first item is `list[0]`',
  last: 'the last item is `list[-1]`',
  range: 'whole numbers in a row are `[0..9]`',
  startswith: '`$substring(x, 0, $length(y)) = y` says whether x starts with y',
  endswith: '`$substring(x, -$length(y)) = y` says whether x ends with y',
  haskey: '`$exists(x.name)` says whether there is a field',
}

/** What the author of a name means that no function has: a hint. `undefined`: the name says nothing. */
export function meantFunction(name: string, functions: ReadonlySet<string>): string | undefined {
  const small = name.toLowerCase()
  const same = own(SAME, small) ?? /^\$(\w+)\(x\)$/.exec(rewrittenCall(name, 'x', []) ?? '')?.[1]
  const sameCase = [...functions].find((one) => one.toLowerCase() === small)
  const otherwise = sameCase === undefined ? own(OTHERWISE, small) : undefined
  if (otherwise !== undefined) return otherwise
  const meant = sameCase ?? (same !== undefined && functions.has(same) ? same : nearestName(name, functions))
  return meant === undefined ? undefined : `did you mean $${meant}?`
}

function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
