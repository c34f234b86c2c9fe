/** Stands for `node:buffer` in the page: the package that browsers use, which reads base64url and cannot write it. */
import { Buffer } from 'buffer'

type Encoding = Parameters<typeof Buffer.from>[1]

const { from } = Buffer
const { toString } = Buffer.prototype

Buffer.from = ((value: string, encoding: Encoding, length: never) =>
  from(value, encoding === 'base64url' ? 'base64' : encoding, length)) as typeof from

Buffer.prototype.toString = function (encoding, ...range) {
  if (encoding !== 'base64url') return toString.call(this, encoding, ...range)
  return toString.call(this, 'base64', ...range).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export { Buffer }

const DECODER = new TextDecoder('utf-8', { fatal: true })

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    DECODER.decode(bytes)
    return true
  } catch {
    return false
  }
}
