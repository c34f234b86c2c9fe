/** Just enough of ASN.1's distinguished encoding (X.690) to write a certificate. */

export function sequence(...parts: readonly Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(parts))
}

export function set(...parts: readonly Buffer[]): Buffer {
  return encode(0x31, Buffer.concat(parts))
}

/** A non-negative integer of any length, most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = Buffer.from(bytes.subarray(start))
  const isNegative = ((digits[0] ?? 0) & 0x80) !== 0
  return encode(0x02, isNegative ? Buffer.concat([Buffer.of(0), digits]) : digits)
}

export function boolean(value: boolean): Buffer {
  return encode(0x01, Buffer.of(value ? 0xff : 0))
}

/** `unused`: bits of the last byte that do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return encode(0x03, Buffer.concat([Buffer.of(unused), bytes]))
}

export function octetString(bytes: Uint8Array): Buffer {
  return encode(0x04, Buffer.from(bytes))
}

export function utf8String(text: string): Buffer {
  return encode(0x0c, Buffer.from(text))
}

/** Years from 1950 to 2049, as certificates want them. */
export function utcTime(date: Date): Buffer {
  return encode(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}

/** `2.5.29.17` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** `[number]`, with other elements in it or with bare bytes. */
export function tagged(number: number, content: Uint8Array, form: 'constructed' | 'primitive'): Buffer {
  return encode((form === 'constructed' ? 0xa0 : 0x80) | number, Buffer.from(content))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

function encode(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  if (length < 0x100) return Buffer.of(0x81, length)
  return Buffer.of(0x82, length >> 8, length & 0xff)
}
