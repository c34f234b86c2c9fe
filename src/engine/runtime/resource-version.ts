/**
 * Negative when `left` is older than `right`, 0 when equal, positive when newer; `undefined` when they cannot be compared.
 *
 * As KEP-5504 allows: both are decimal integers without leading zeros, so length decides, then text. Anything else is
 * opaque, and only equality means something.
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
