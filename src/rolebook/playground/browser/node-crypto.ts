/** Stands for `node:crypto` in the page: hashes at once, which those of browsers do not give. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** A hash that takes texts until it is asked. */
class GrowingHash {
  readonly #hash: { update(bytes: Uint8Array): unknown; digest(): Uint8Array }

  constructor(hash: { update(bytes: Uint8Array): unknown; digest(): Uint8Array }) {
    this.#hash = hash
  }

  update(text: string): this {
    this.#hash.update(ENCODER.encode(text))
    return this
  }

  digest(encoding: 'hex'): string {
    return Buffer.from(this.#hash.digest()).toString(encoding)
  }
}

const ENCODER = new TextEncoder()

export function createHash(_algorithm: 'sha256'): GrowingHash {
  return new GrowingHash(sha256.create())
}

export function createHmac(_algorithm: 'sha256', key: string): GrowingHash {
  return new GrowingHash(hmac.create(sha256, ENCODER.encode(key)))
}

export function randomBytes(count: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(count)))
}
