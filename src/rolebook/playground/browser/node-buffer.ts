/** Stands for `node:buffer` in the page: the package that browsers use, which reads base64url and cannot write it. */
import { Buffer } from 'buffer'

const { from } = Buffer as unknown as { from(value: string, encoding?: string, length?: number): Buffer }
const { toString: print } = Buffer.prototype as { toString(encoding?: string, start?: number, end?: number): string }

Object.assign(Buffer, {
  from: (value: string, encoding?: string, length?: number) =>
    from(value, encoding === 'base64url' ? 'base64' : encoding, length),
})

Object.assign(Buffer.prototype, {
  toString(this: Buffer, encoding?: string, start?: number, end?: number): string {
    if (encoding !== 'base64url') return print.call(this, encoding, start, end)
    const text = print.call(this, 'base64', start, end)
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  },
})

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
