import { randomHex } from './hash.ts'

/** Shorter texts are words of everyday messages as often as secrets: taken out, they would spoil the message and show where they were. */
export const SHORTEST = 6
/** A part of a text counts from this length on: a line of a key, a value that was cut. */
export const SHORTEST_PART = 8

/** Whether the `SHORTEST` characters from a place on are no word of a language, and so count as a part. */
type IsDistinctive = (units: Uint16Array, begin: number) => boolean

/**
 * Finds parts of texts in another one, in a time that grows with what is searched, however much is looked for.
 *
 * Every part of a length that counts has a place in a table of hashes. The seed of the hash is random: an attacker cannot choose texts
 * that fall upon each other.
 */
export class PartIndex {
  readonly #isDistinctive: IsDistinctive
  readonly #seed = Number.parseInt(randomHex(4), 16) | 0
  /** All texts, one after the other. */
  #units = new Uint16Array(64)
  #used = 0
  /** For each part where it begins, times four, and which of the three lengths it has, from one on; 0 where there is none. */
  #table = new Int32Array(64)
  #size = 0
  /** Which two characters parts begin with, a bit for each: most places are passed by after one look. */
  readonly #beginnings = new Uint8Array(1 << 11)

  constructor(isDistinctive: IsDistinctive) {
    this.#isDistinctive = isDistinctive
  }

  /** How many parts are looked for. */
  get size(): number {
    return this.#size
  }

  /** Looks for a text as well, and for all parts of it that count. Texts shorter than `SHORTEST` have none. */
  add(text: string): void {
    const begin = this.#store(text)
    if (text.length >= SHORTEST && text.length < SHORTEST_PART) this.#addPart(begin, text.length)
    for (let at = 0; at + SHORTEST_PART <= text.length; at++) this.#addPart(begin + at, SHORTEST_PART)
    this.#addDistinctive(text, begin)
  }

  /** Looks only for the short parts of a text. */
  addDistinctive(text: string): void {
    this.#addDistinctive(text, this.#store(text))
  }

  /** Where parts stand in a text; they may overlap. */
  find(text: string, onFound: (start: number, end: number) => void): void {
    if (this.#size === 0) return
    const units = unitsOf(text)
    for (let at = 0; at + SHORTEST <= units.length; at++) {
      if (!this.#maybeBeginsAt(units, at)) continue
      for (let length = Math.min(SHORTEST_PART, units.length - at); length >= SHORTEST; length--)
        if (this.#table[this.#slotFor(units, at, length)] !== 0) {
          onFound(at, at + length)
          break
        }
    }
  }

  #addDistinctive(text: string, begin: number): void {
    for (let at = begin; at + SHORTEST <= begin + text.length; at++)
      if (this.#isDistinctive(this.#units, at)) this.#addPart(at, SHORTEST)
  }

  #store(text: string): number {
    const begin = this.#used
    this.#used += text.length
    if (this.#used > this.#units.length) {
      const larger = new Uint16Array(this.#used * 2)
      larger.set(this.#units)
      this.#units = larger
    }
    this.#units.set(unitsOf(text), begin)
    return begin
  }

  #addPart(begin: number, length: number): void {
    if ((this.#size + 1) * 2 > this.#table.length) this.#grow()
    const slot = this.#slotFor(this.#units, begin, length)
    if (this.#table[slot] !== 0) return
    this.#table[slot] = begin * 4 + (length - SHORTEST + 1)
    const pair = pairAt(this.#units, begin)
    this.#beginnings[pair >> 3] = (this.#beginnings[pair >> 3] as number) | (1 << (pair & 7))
    this.#size += 1
  }

  #maybeBeginsAt(units: Uint16Array, at: number): boolean {
    const pair = pairAt(units, at)
    return ((this.#beginnings[pair >> 3] as number) & (1 << (pair & 7))) !== 0
  }

  #grow(): void {
    const former = this.#table
    this.#table = new Int32Array(former.length * 2)
    for (const entry of former)
      if (entry !== 0) this.#table[this.#slotFor(this.#units, beginOf(entry), lengthOf(entry))] = entry
  }

  /** Where a part equal to this one stands in the table, or is to stand. */
  #slotFor(units: Uint16Array, begin: number, length: number): number {
    const mask = this.#table.length - 1
    let slot = this.#hash(units, begin, length) & mask
    while (this.#isOther(this.#table[slot] as number, units, begin, length)) slot = (slot + 1) & mask
    return slot
  }

  #isOther(entry: number, units: Uint16Array, begin: number, length: number): boolean {
    return entry !== 0 && (lengthOf(entry) !== length || !this.#equals(beginOf(entry), units, begin, length))
  }

  /** FNV-1a, mixed once more. */
  #hash(units: Uint16Array, begin: number, length: number): number {
    let hash = this.#seed + length
    for (let at = begin; at < begin + length; at++) hash = Math.imul(hash ^ (units[at] as number), 0x0100_0193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d)
    return hash ^ (hash >>> 13)
  }

  #equals(own: number, units: Uint16Array, begin: number, length: number): boolean {
    for (let at = 0; at < length; at++) if (this.#units[own + at] !== units[begin + at]) return false
    return true
  }
}

function beginOf(entry: number): number {
  return entry >>> 2
}

function lengthOf(entry: number): number {
  return (entry & 3) + SHORTEST - 1
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

/** A number for two characters that follow each other; others may share it. */
function pairAt(units: Uint16Array, at: number): number {
  return (((units[at] as number) & 127) << 7) | ((units[at + 1] as number) & 127)
}

/** Letters with digits. */
export const isMixed: IsDistinctive = (units, begin) => {
  let kinds = 0
  for (let at = begin; at < begin + SHORTEST; at++) kinds |= kindOf(units[at] as number)
  return (kinds & DIGIT) !== 0 && (kinds & (SMALL | CAPITAL)) !== 0
}

/** A small letter somewhere before a capital. */
export const isHumped: IsDistinctive = (units, begin) => {
  let hasSmall = false
  for (let at = begin; at < begin + SHORTEST; at++) {
    const kind = kindOf(units[at] as number)
    if (hasSmall && kind === CAPITAL) return true
    hasSmall ||= kind === SMALL
  }
  return false
}

const [DIGIT, SMALL, CAPITAL] = [1, 2, 4]

/** What a character of ASCII is. */
function kindOf(unit: number): number {
  if (unit >= 97) return unit <= 122 ? SMALL : 0
  if (unit >= 65) return unit <= 90 ? CAPITAL : 0
  return unit >= 48 && unit <= 57 ? DIGIT : 0
}
