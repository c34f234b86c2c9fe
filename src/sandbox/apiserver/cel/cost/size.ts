/** From the least to the most, of sizes and of costs; the most may be infinite. */
export interface Range {
  readonly min: number
  readonly max: number
}

export const UNKNOWN: Range = { min: 0, max: Number.POSITIVE_INFINITY }
export const NOTHING: Range = fixed(0)

export function fixed(size: number): Range {
  return { min: size, max: size }
}

export function add(...ranges: readonly Range[]): Range {
  return { min: ranges.reduce((sum, { min }) => sum + min, 0), max: ranges.reduce((sum, { max }) => sum + max, 0) }
}

export function multiply(a: Range, b: Range): Range {
  return { min: times(a.min, b.min), max: times(a.max, b.max) }
}

/** Costs are whole numbers. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(times(min, factor)), max: Math.ceil(times(max, factor)) }
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

/** Nothing costs nothing, however often. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b
}
