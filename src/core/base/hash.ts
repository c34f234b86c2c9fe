import { createHash, createHmac, randomBytes } from 'node:crypto'
import { canonicalJson, type JsonValue } from './json.ts'
import type { RandomBytes } from './random-text.ts'

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** SHA-256 of a value's JSON with sorted keys. */
export function hashJson(value: JsonValue | undefined): string {
  return sha256(canonicalJson(value))
}

/** Lower-case hex HMAC-SHA-256 of a text. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** `bytes` unguessable bytes in lower-case hex. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Unguessable bytes. */
export const cryptographicBytes: RandomBytes = (count) => randomBytes(count)
