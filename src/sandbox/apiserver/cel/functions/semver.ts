import { CelRuntimeError } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { CelOpaque, type CelValue } from '../values.ts'

/** A version as of semver.org. */
class Semver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver'
  readonly numbers: readonly bigint[]
  readonly pre: readonly string[]

  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    super()
    this.numbers = numbers
    this.pre = pre
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Semver && compare(this, other) === 0
  }
}

const S = 'kubernetes.Semver'

/** Versions. */
export const SEMVERS: FunctionTable = {
  [`semver(string): ${S}`]: ([text]) => semverOf(text as string),
  [`semver(string, bool): ${S}`]: ([text, loose]) => semverOf(text as string, loose as boolean),
  'isSemver(string): bool': ([text]) => !(read(text as string) instanceof Error),
  'isSemver(string, bool): bool': ([text, loose]) => !((loose ? readLoosely : read)(text as string) instanceof Error),
  [`method isGreaterThan(${S}, ${S}): bool`]: ([a, b]) => compare(a, b) > 0,
  [`method isLessThan(${S}, ${S}): bool`]: ([a, b]) => compare(a, b) < 0,
  [`method compareTo(${S}, ${S}): int`]: ([a, b]) => BigInt(compare(a, b)),
  [`method major(${S}): int`]: ([value]) => (value as Semver).numbers[0] as bigint,
  [`method minor(${S}): int`]: ([value]) => (value as Semver).numbers[1] as bigint,
  [`method patch(${S}): int`]: ([value]) => (value as Semver).numbers[2] as bigint,
}

function semverOf(text: string, loose = false): Semver {
  const version = (loose ? readLoosely : read)(text)
  if (version instanceof Error) throw version
  return version
}

/** Texts in Go's order of checks. */
function read(text: string): Semver | CelRuntimeError {
  if (text === '') return new CelRuntimeError('Version string empty')
  const [major, minor, rest] = splitInThree(text)
  if (rest === undefined) return new CelRuntimeError('No Major.Minor.Patch elements found')
  const [tail, build] = cut(rest, '+')
  const [patch, pre] = cut(tail, '-')
  const numbers = Object.entries({ major, minor, patch })
  const preParts = pre?.split('.') ?? []
  const problem =
    firstProblem(numbers, ([name, digits]) => numberProblem(name, digits as string)) ??
    firstProblem(preParts, preProblem) ??
    firstProblem(build?.split('.') ?? [], buildProblem)
  if (problem !== undefined) return new CelRuntimeError(problem)
  return new Semver(
    numbers.map(([, digits]) => BigInt(digits as string)),
    preParts,
  )
}

function splitInThree(text: string): readonly string[] {
  const [major, minor, ...rest] = text.split('.') as [string, ...string[]]
  if (minor === undefined) return [major]
  return rest.length === 0 ? [major, minor] : [major, minor, rest.join('.')]
}

function cut(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at)
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

function firstProblem<T>(parts: readonly T[], problemOf: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const problem = problemOf(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

function numberProblem(name: string, digits: string): string | undefined {
  const quoted = JSON.stringify(digits)
  if (!/^\d*$/.test(digits)) return `Invalid character(s) found in ${name} number ${quoted}`
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  if (/^0\d/.test(digits)) return `${title} number must not contain leading zeroes ${quoted}`
  if (digits === '') return `strconv.ParseUint: parsing ${quoted}: invalid syntax`
  return BigInt(digits) >= 2n ** 64n ? `strconv.ParseUint: parsing ${quoted}: value out of range` : undefined
}

function preProblem(part: string): string | undefined {
  const quoted = JSON.stringify(part)
  if (part === '') return 'Prerelease is empty'
  if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${quoted}`
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease ${quoted}`
}

function buildProblem(part: string): string | undefined {
  if (part === '') return 'Build meta data is empty'
  if (/^[0-9A-Za-z-]+$/.test(part)) return undefined
  return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`
}

/** Without a leading `v` and leading zeros, and with the parts that are missing. */
function readLoosely(text: string): Semver | CelRuntimeError {
  const parts = splitInThree(text.replace(/^v/, '')).map((part) => part.replace(/^0+(?=\d)/, ''))
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) as string)) {
    return new CelRuntimeError('short version cannot contain PreRelease/Build meta data')
  }
  return read([...parts, ...Array<string>(3 - parts.length).fill('0')].join('.'))
}

function compare(a: CelValue | undefined, b: CelValue | undefined): number {
  const [left, right] = [a as Semver, b as Semver]
  for (const [at, number] of left.numbers.entries()) {
    const other = right.numbers[at] as bigint
    if (number !== other) return number < other ? -1 : 1
  }
  if (left.pre.length === 0 || right.pre.length === 0) return Math.sign(right.pre.length - left.pre.length)
  for (let at = 0; at < Math.min(left.pre.length, right.pre.length); at++) {
    const order = comparePre(left.pre[at] as string, right.pre[at] as string)
    if (order !== 0) return order
  }
  return Math.sign(left.pre.length - right.pre.length)
}

function comparePre(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (left && right) return Math.sign(Number(a) - Number(b))
  if (left !== right) return left ? -1 : 1
  return Number(a > b) - Number(a < b)
}
