import { CelRuntimeError } from '../cel-error.ts'
import { type IpAddress, isMappedV4, parseIp, printIp } from '../ip-address.ts'
import type { FunctionTable } from '../signature.ts'
import { CelOpaque, type CelValue } from '../values.ts'

/** An IP address. */
export class Ip extends CelOpaque {
  readonly typeName = 'net.IP'
  readonly address: IpAddress

  constructor(address: IpAddress) {
    super()
    this.address = address
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Ip && other.address.bits === this.address.bits && other.address.value === this.address.value
  }
}

/** Addresses. */
export const IPS: FunctionTable = {
  'ip(string): net.IP': ([text]) => ipOf(text as string),
  'isIP(string): bool': ([text]) => !(readIp(text as string) instanceof Error),
  'ip.isCanonical(string): bool': ([text]) => printIp(ipOf(text as string).address) === text,
  'string(net.IP): string': ([ip]) => printIp((ip as Ip).address),
  'method family(net.IP): int': ([ip]) => ((ip as Ip).address.bits === 32 ? 4n : 6n),
  'method isUnspecified(net.IP): bool': question(({ value }) => value === 0n),
  'method isLoopback(net.IP): bool': question(isLoopback),
  'method isLinkLocalMulticast(net.IP): bool': question(isLinkLocalMulticast),
  'method isLinkLocalUnicast(net.IP): bool': question(isLinkLocalUnicast),
  'method isGlobalUnicast(net.IP): bool': question(isGlobalUnicast),
}

export function ipOf(text: string): Ip {
  const ip = readIp(text)
  if (ip instanceof Error) throw ip
  return ip
}

function readIp(text: string): Ip | CelRuntimeError {
  const quoted = JSON.stringify(text)
  const [plain = '', zone] = text.split('%', 2)
  const address = parseIp(plain)
  if (!address) {
    const failed = `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`
    return new CelRuntimeError(failed)
  }
  if (zone !== undefined) return new CelRuntimeError(`IP address ${quoted} with zone value is not allowed`)
  if (isMappedV4(address)) return new CelRuntimeError(`IPv4-mapped IPv6 address ${quoted} is not allowed`)
  return new Ip(address)
}

function question(ask: (address: IpAddress) => boolean): (args: readonly CelValue[]) => boolean {
  return ([ip]) => ask((ip as Ip).address)
}

function isLoopback({ bits, value }: IpAddress): boolean {
  return bits === 32 ? value >> 24n === 127n : value === 1n
}

function isLinkLocalMulticast({ bits, value }: IpAddress): boolean {
  return bits === 32 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n
}

function isLinkLocalUnicast({ bits, value }: IpAddress): boolean {
  return bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n
}

function isGlobalUnicast(address: IpAddress): boolean {
  const { bits, value } = address
  if (value === 0n || isLoopback(address) || isLinkLocalUnicast(address)) return false
  return bits === 32 ? value !== 0xffffffffn && value >> 28n !== 0xen : value >> 120n !== 0xffn
}
