import { printIp } from '../../cel/ip-address.ts'
import { isIPv4, isIPv6 } from './formats.ts'

/** `10.0.0.0/8`, read. */
interface IpRange {
  readonly address: bigint
  /** How many bits an address has: 32 or 128. */
  readonly width: 32 | 128
  readonly length: number
}

/** Complaints about a range of addresses, in the words of the server. */
export function checkCidr(value: string): readonly string[] {
  const range = parseRange(value)
  if (range === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']
  if (withoutZeros(value) !== value) return ['must not have leading 0s in IP or prefix length']
  if (isMapped(range)) return ['must not have an IPv4-mapped IPv6 address']
  const rest = BigInt(range.width - range.length)
  return (range.address >> rest) << rest === range.address ? [] : ['must not have bits set beyond the prefix length']
}

/** Complaints about an address of an interface, with the length of its network: it may have any bits set. */
export function checkInterfaceAddress(value: string): readonly string[] {
  const range = parseRange(value)
  if (range === undefined) return ['must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)']
  const { address, width, length } = unmapped(range)
  const canonical = `${printIp({ bits: width, value: address })}/${length}`
  return value === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}

/** Whether a text can be read as a range, however it is written. */
export function isRange(value: string): boolean {
  return parseRange(value) !== undefined
}

/** Whether the second range lies in the first and is smaller; `undefined` when one of them is none. */
export function isStrictlyWithin(outer: string, inner: string): boolean | undefined {
  const [around, within] = [parseRange(outer), parseRange(inner)]
  if (around === undefined || within === undefined) return undefined
  if (around.length >= within.length) return false
  const [wide, narrow] = [unmapped(around), unmapped(within)]
  const rest = BigInt(wide.width - wide.length)
  return wide.width === narrow.width && wide.address >> rest === narrow.address >> rest
}

function parseRange(given: string): IpRange | undefined {
  const [address = '', digits = '', more] = withoutZeros(given).split('/')
  const length = /^\d{1,3}$/.test(digits) ? Number(digits) : 999
  if (more !== undefined) return undefined
  if (isIPv4(address)) return length <= 32 ? { address: numberOf4(address), width: 32, length } : undefined
  return isIPv6(address) && length <= 128 ? { address: numberOf6(address), width: 128, length } : undefined
}

/** Zeros in front of decimal numbers are read, and then complained about. */
function withoutZeros(range: string): string {
  return range.replace(range.includes(':') ? /(\/)0+(?=\d)/ : /(^|[./])0+(?=\d)/g, '$1')
}

function numberOf4(address: string): bigint {
  return address.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n)
}

function numberOf6(address: string): bigint {
  const [head = [], tail = []] = address.split('::').map(wordsOf)
  const filled = [...head, ...Array<bigint>(8 - head.length - tail.length).fill(0n), ...tail]
  return filled.reduce((number, word) => (number << 16n) | word, 0n)
}

/** Numbers of 16 bits; an IPv4 address at the end is two of them. */
function wordsOf(part: string): readonly bigint[] {
  const groups = part === '' ? [] : part.split(':')
  return groups.flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const number = numberOf4(group)
    return [number >> 16n, number & 0xffffn]
  })
}

/** IPv4 addresses as they stand in IPv6. */
function isMapped({ address, width }: IpRange): boolean {
  return width === 128 && address >> 32n === 0xffffn
}

function unmapped(range: IpRange): IpRange {
  if (!isMapped(range)) return range
  return { address: range.address & 0xffffffffn, width: 32, length: Math.max(range.length - 96, 0) }
}
