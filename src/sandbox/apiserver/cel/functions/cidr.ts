import { CelRuntimeError } from '../cel-error.ts'
import { type IpAddress, isMappedV4, maskIp, parseIp, printIp } from '../ip-address.ts'
import type { FunctionTable } from '../signature.ts'
import { CelOpaque, type CelValue } from '../values.ts'
import { Ip, ipOf } from './ip.ts'

/** A network: an address and how many of its bits count. */
class Cidr extends CelOpaque {
  readonly typeName = 'net.CIDR'
  readonly address: IpAddress
  readonly prefix: number

  constructor(address: IpAddress, prefix: number) {
    super()
    this.address = address
    this.prefix = prefix
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Cidr && print(other) === print(this)
  }
}

/** Networks. */
export const CIDRS: FunctionTable = {
  'cidr(string): net.CIDR': ([text]) => cidrOf(text as string),
  'isCIDR(string): bool': ([text]) => !(read(text as string) instanceof Error),
  'string(net.CIDR): string': ([cidr]) => print(cidr as Cidr),
  'method containsIP(net.CIDR, string): bool': ([cidr, ip]) => containsIp(cidr as Cidr, ipOf(ip as string).address),
  'method containsIP(net.CIDR, net.IP): bool': ([cidr, ip]) => containsIp(cidr as Cidr, (ip as Ip).address),
  'method containsCIDR(net.CIDR, string): bool': ([cidr, part]) => containsCidr(cidr as Cidr, cidrOf(part as string)),
  'method containsCIDR(net.CIDR, net.CIDR): bool': ([cidr, part]) => containsCidr(cidr as Cidr, part as Cidr),
  'method ip(net.CIDR): net.IP': ([cidr]) => new Ip((cidr as Cidr).address),
  'method prefixLength(net.CIDR): int': ([cidr]) => BigInt((cidr as Cidr).prefix),
  'method masked(net.CIDR): net.CIDR': ([cidr]) => masked(cidr as Cidr),
}

function cidrOf(text: CelValue): Cidr {
  const cidr = read(text as string)
  if (cidr instanceof Error) {
    throw new CelRuntimeError(`network address parse error during conversion from string: ${cidr.message}`)
  }
  return cidr
}

function read(text: string): Cidr | Error {
  const failed = (why: string): Error => {
    const cause = `netip.ParsePrefix(${JSON.stringify(text)}): ${why}`
    return new Error(`network address parse error during conversion from string: ${cause}`)
  }
  const slash = text.lastIndexOf('/')
  if (slash < 0) return failed("no '/'")
  const address = parseIp(text.slice(0, slash))
  if (!address) return failed(`ParseAddr(${JSON.stringify(text.slice(0, slash))}): unable to parse IP`)
  const digits = text.slice(slash + 1)
  if (!/^(0|[1-9]\d*)$/.test(digits)) return failed(`bad bits after slash: ${JSON.stringify(digits)}`)
  if (Number(digits) > address.bits) return failed('prefix length out of range')
  if (isMappedV4(address)) return new Error(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  return new Cidr(address, Number(digits))
}

function print({ address, prefix }: Cidr): string {
  return `${printIp(address)}/${prefix}`
}

function masked({ address, prefix }: Cidr): Cidr {
  return new Cidr(maskIp(address, prefix), prefix)
}

function containsIp({ address, prefix }: Cidr, ip: IpAddress): boolean {
  return ip.bits === address.bits && maskIp(ip, prefix).value === maskIp(address, prefix).value
}

function containsCidr(cidr: Cidr, part: Cidr): boolean {
  return cidr.prefix <= part.prefix && containsIp(cidr, part.address)
}
