/** The addresses that Services get, of IPv4. */
export interface ServiceRange {
  /** Its first address, which no Service gets. */
  readonly network: number
  readonly size: number
}

export const DEFAULT_SERVICE_RANGE: ServiceRange = { network: 0x0a600000, size: 1 << 20 }

const SHORTEST_PREFIX = 12
const LONGEST_PREFIX = 30

/** `10.96.0.0/12` as a range; `undefined` for anything that is none, has more than a million addresses, or less than four. */
export function parseServiceRange(text: string): ServiceRange | undefined {
  const [, address = '', bits = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(text) ?? []
  const prefix = Number(bits)
  if (bits === '' || prefix < SHORTEST_PREFIX || prefix > LONGEST_PREFIX) return undefined
  if (address.split('.').some((part) => Number(part) > 255)) return undefined
  const size = 2 ** (32 - prefix)
  const start = parseAddress(address)
  return { network: start - (start % size), size }
}

export function printRange({ network, size }: ServiceRange): string {
  return `${printAddress(network)}/${32 - Math.log2(size)}`
}

/** The address of the `kubernetes` Service. */
export function firstAddressOf({ network }: ServiceRange): string {
  return printAddress(network + 1)
}

/** Offsets of addresses: those below `firstChosen` are kept for people who choose themselves. */
export function offsetsOf({ size }: ServiceRange): { first: number; firstChosen: number; last: number } {
  const kept = size < 16 ? 1 : Math.min(Math.max(16, Math.floor(size / 16)), 256)
  return { first: 1, firstChosen: Math.min(kept, size - 2), last: size - 2 }
}

export function printAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
}

export function parseAddress(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
