import { parseDuration } from '../../core/kube/duration.ts'
import { RECONCILE_PERIOD } from '../../engine/role/reconcile-period-bounds.ts'
import { type ListenAddress, parseListenAddress } from '../../engine/runtime/listen-address.ts'

/** What an option's text means. */
export interface ValueKind<Value> {
  /** `undefined` when the text is none of it. */
  parse(text: string): Value | undefined
  /** The message for another text: begins with "Expected". */
  readonly expected: string
  /** All texts that there are, when they are few. */
  readonly words?: readonly string[] | undefined
}

export const TEXT: ValueKind<string> = {
  parse: (text) => (text === '' ? undefined : text),
  expected: 'Expected a text that is not empty.',
}

/** Given as a flag alone, or with `true` or `false`, which is how an environment variable says it. */
export const SWITCH: ValueKind<boolean> = {
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  expected: 'Expected true or false.',
}

/** Milliseconds. */
export const DURATION: ValueKind<number> = {
  parse: (text) => within(parseDuration(text), { min: 0, max: LONGEST }),
  expected: 'Expected a duration with its unit, such as 500ms, 15s, 1m30s or 10h.',
}

/** Milliseconds, and not none. */
export const TIMEOUT: ValueKind<number> = {
  parse: (text) => within(parseDuration(text), { min: 1, max: LONGEST }),
  expected: 'Expected a duration longer than 0s with its unit, such as 500ms, 15s or 1m30s.',
}

/** Milliseconds; 0 is never. */
export const PERIOD: ValueKind<number> = {
  parse(text) {
    const period = parseDuration(text)
    return period === 0 ? 0 : within(period, RECONCILE_PERIOD)
  },
  expected: 'Expected 0s, or a duration from 10s to 500h such as 30s, 10m or 1h30m.',
}

export const COUNT: ValueKind<number> = {
  parse: (text) => (/^\d{1,5}$/.test(text) ? within(Number(text), { min: 1, max: 10_000 }) : undefined),
  expected: 'Expected a whole number from 1 to 10000.',
}

/** What chance begins with. */
export const SEED: ValueKind<number> = {
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  expected: 'Expected a whole number of up to nine digits.',
}

/** Of the resources: each is a Lease that is renewed all the time. */
export const SHARDS: ValueKind<number> = {
  parse: (text) => (/^\d{1,2}$/.test(text) ? within(Number(text), { min: 1, max: 64 }) : undefined),
  expected: 'Expected a whole number from 1 to 64.',
}

/** How many a second; 0 is no limit. */
export const RATE: ValueKind<number> = {
  parse: (text) => (/^\d{1,6}(\.\d+)?$/.test(text) ? Number(text) : undefined),
  expected: 'Expected a number such as 50 or 0.5; 0 is no limit.',
}

/** Separated by commas; none is all namespaces. */
export const NAMESPACES: ValueKind<readonly string[] | 'all'> = {
  parse(text) {
    const names = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    if (!names.every((name) => NAMESPACE.parse(name) !== undefined)) return undefined
    return names.length === 0 ? 'all' : names
  },
  expected: 'Expected names of namespaces separated by commas, such as team-a,team-b; empty is all.',
}

export const NAMESPACE: ValueKind<string> = {
  parse: (text) => (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text) ? text : undefined),
  expected: 'Expected the name of a namespace: lower-case letters, digits and dashes.',
}

export const OBJECT_NAME: ValueKind<string> = {
  parse: (text) => (text.length <= 253 && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(text) ? text : undefined),
  expected: 'Expected the name of an object: lower-case letters, digits, dashes and dots.',
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:8080`; `0` is off. */
export const ADDRESS: ValueKind<ListenAddress | 'off'> = {
  parse: (text) => (text === '0' ? 'off' : parseListenAddress(text)),
  expected: 'Expected host and port, such as :8080 or 127.0.0.1:8080, or 0 for none.',
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]): ValueKind<Word> {
  return {
    parse: (text) => words.find((word) => word === text),
    expected: `Expected one of ${words.join(', ')}.`,
    words,
  }
}

/** Timers of the platform end there. */
const LONGEST = 500 * 3_600_000

function within(number: number | undefined, { min, max }: { min: number; max: number }): number | undefined {
  return number !== undefined && number >= min && number <= max ? number : undefined
}
