/** The candidate that `name` was probably meant to be, or `undefined` when none is near enough to be worth a question. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least)
    if (distance < least) {
      nearest = candidate
      least = distance
    }
  }
  return nearest
}

/** A hint in the form of a question, or `undefined`. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const nearest = nearestName(name, candidates)
  return nearest === undefined ? undefined : `did you mean \`${nearest}\`?`
}

/** How many letters to insert, delete, replace or swap with their neighbour; at least `limit` when it is that many. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) row.push(cell({ left, right, i, j }, row, last, beforeLast))
    beforeLast = last
    last = row
  }
  return at(last, right.length)
}

interface Place {
  readonly left: string
  readonly right: string
  readonly i: number
  readonly j: number
}

function cell({ left, right, i, j }: Place, row: number[], last: number[], beforeLast: number[]): number {
  const differs = left[i - 1] === right[j - 1] ? 0 : 1
  const best = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + differs)
  const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
  return swapped ? Math.min(best, at(beforeLast, j - 2) + 1) : best
}

/** Rows are full up to where they are read. */
function at(row: readonly number[], index: number): number {
  return row[index] as number
}
