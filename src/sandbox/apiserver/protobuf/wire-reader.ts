/** One field as it stands on the wire: its number, and a number or the bytes of something longer. */
export interface WireField {
  readonly number: number
  readonly value: bigint | number | Buffer
}

/** Reads the fields of a protobuf message in the order in which they come. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /**
   * `undefined` at the end.
   *
   * @throws RangeError when the bytes are no message
   */
  next(): WireField | undefined {
    if (this.#at >= this.#bytes.length) return undefined
    const tag = Number(this.#varint())
    return { number: tag >>> 3, value: this.#value(tag & 7) }
  }

  #value(type: number): bigint | number | Buffer {
    switch (type) {
      case 0:
        return this.#varint()
      case 1:
        return this.#take(8).readDoubleLE(0)
      case 2:
        return this.#take(Number(this.#varint()))
      case 5:
        return this.#take(4).readFloatLE(0)
      default:
        throw new RangeError(`wire type ${type} is unknown`)
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('unexpected EOF')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  #varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('unexpected EOF')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw new RangeError('integer overflow')
  }
}
