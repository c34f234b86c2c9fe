/** The figure in the middle, or half-way between two; 0 of none. */
export function median(figures: readonly number[]): number {
  const reversed = figures.map((one) => -one)
  return (percentile(figures, 50) - percentile(reversed, 50)) / 2
}

/** The smallest figure that so many per cent of all do not exceed; 0 of none. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const rank = Math.ceil((percent / 100) * sorted.length)
  return sorted[Math.max(rank, 1) - 1] ?? 0
}
