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
  [`semver(string, bool): ${S}`]: ([text, loose]) => semverOf(loose ? normalized(text as string) : (text as string)),
  'isSemver(string): bool': ([text]) => !(read(text as string) instanceof Error),
  'isSemver(string, bool): bool': ([text, loose]) =>
    !(read(loose ? normalized(text as string) : (text as string)) instanceof Error),
  [`method isGreaterThan(${S}, ${S}): bool`]: ([a, b]) => compare(a, b) > 0,
  [`method isLessThan(${S}, ${S}): bool`]: ([a, b]) => compare(a, b) < 0,
  [`method compareTo(${S}, ${S}): int`]: ([a, b]) => BigInt(compare(a, b)),
  [`method major(${S}): int`]: ([value]) => (value as Semver).numbers[0] as bigint,
  [`method minor(${S}): int`]: ([value]) => (value as Semver).numbers[1] as bigint,
  [`method patch(${S}): int`]: ([value]) => (value as Semver).numbers[2] as bigint,
}

function semverOf(text: string): Semver {
  const version = read(text)
  if (version instanceof Error) throw version
  return version
}

function read(text: string): Semver | CelRuntimeError {
  if (text === '') return new CelRuntimeError('Version string empty')
  const parts = text.split('.')
  if (parts.length < 3) return new CelRuntimeError('No Major.Minor.Patch elements found')
  const [, core = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/.exec(text) ?? []
  const numbers = core.split('.')
  const names = ['major', 'minor', 'patch']
  for (const [at, name] of names.entries()) {
    const number = numbers[at] ?? ''
    if (!/^\d+$/.test(number))
      return new CelRuntimeError(`Invalid character(s) found in ${name} number ${JSON.stringify(number)}`)
    if (/^0\d/.test(number)) {
      const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
      return new CelRuntimeError(`${Name} number must not contain leading zeroes ${JSON.stringify(number)}`)
    }
  }
  if (numbers.length > 3)
    return new CelRuntimeError(
      `Invalid character(s) found in patch number ${JSON.stringify(numbers.slice(2).join('.'))}`,
    )
  const isBad = [...(pre?.split('.') ?? []), ...(build?.split('.') ?? [])].find((part) => !/^[0-9A-Za-z-]+$/.test(part))
  if (isBad !== undefined)
    return new CelRuntimeError(
      isBad === '' ? 'Prerelease is empty' : `Invalid character(s) found in prerelease ${JSON.stringify(isBad)}`,
    )
  return new Semver(numbers.map(BigInt), pre?.split('.') ?? [])
}

/** Without a leading `v` and leading zeros, and with the parts that are missing. */
function normalized(text: string): string {
  const [core = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/)
  const parts = core.split('.')
  const stripped = parts.map((part) => (part.length > 1 ? part.replace(/^0+(?=\d)/, '') : part))
  if (parts.length >= 3 || rest.length > 0) return [stripped.join('.'), ...rest].join('')
  return [...stripped, ...Array<string>(3 - parts.length).fill('0')].join('.')
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
