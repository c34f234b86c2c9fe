/**
 * Negative if `left` is older than `right`, 0 if they are equal, positive if it is newer; `undefined` if they cannot be compared.
 *
 * KEP-5504 allows this: both are decimal integers without leading zeros, so the length decides, then the text. Anything else is opaque and
 * can only be equal.
 */
export function compareResourceVersions(left: string | undefined, right: string | undefined): number | undefined {
  if (!left || !right) return undefined
  if (left === right) return 0
  if (!WELL_FORMED.test(left) || !WELL_FORMED.test(right)) return undefined
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : 1
}

/** At most 128 bits. */
const WELL_FORMED = /^(?:0|[1-9]\d{0,38})$/
