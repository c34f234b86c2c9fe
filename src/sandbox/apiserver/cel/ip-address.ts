import { isIPv4, isIPv6 } from '../kinds/common/formats.ts'

/** An address as a number, with the bits that its family has. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** Reads an IPv4 or IPv6 address; without zones, and none of IPv4 in the form of IPv6. */
export function parseIp(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: v4Value(text) }
  return isIPv6(text) ? { bits: 128, value: v6Value(text) } : undefined
}

export function isMappedV4({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === 0xffffn
}

/** The shortest usual form; of IPv6, the longest run of zeros is left out. */
export function printIp({ bits, value }: IpAddress): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => Number((value >> BigInt((7 - at) * 16)) & 0xffffn))
  const run = longestZeros(groups)
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  if (run.length < 2) return text(groups)
  return `${text(groups.slice(0, run.start))}::${text(groups.slice(run.start + run.length))}`
}

/** Sets all bits behind the prefix to 0. */
export function maskIp({ bits, value }: IpAddress, prefix: number): IpAddress {
  const rest = BigInt(bits - prefix)
  return { bits, value: (value >> rest) << rest }
}

function v4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function v6Value(text: string): bigint {
  const tail = text.slice(text.lastIndexOf(':') + 1)
  const hex = tail.includes('.') ? `${text.slice(0, -tail.length)}${v4AsGroups(tail)}` : text
  const [head = '', rest] = hex.split('::')
  const [left, right] = [groupsOf(head), groupsOf(rest ?? '')]
  const filled =
    rest === undefined ? left : [...left, ...Array<bigint>(8 - left.length - right.length).fill(0n), ...right]
  return filled.reduce((value, group) => (value << 16n) | group, 0n)
}

function v4AsGroups(text: string): string {
  const value = v4Value(text)
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
}

function groupsOf(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`))
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  groups.forEach((group, at) => {
    length = group === 0 ? length + 1 : 0
    if (length > best.length) best = { start: at - length + 1, length }
  })
  return best
}
