/** The candidate that `name` was probably meant to be: the one with the fewest letters to change, if they are few. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let fewest = Math.max(1, name.length / 3) + 1
  for (const candidate of candidates) {
    const changes = countChanges(name.toLowerCase(), candidate.toLowerCase())
    if (changes < fewest) [nearest, fewest] = [candidate, changes]
  }
  return nearest
}

/** How many letters to insert, remove, replace or swap with their neighbour. */
function countChanges(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= left.length; row += 1) {
    const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]]
    const here = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const differs = left[row - 1] === right[column - 1] ? 0 : 1
      const costs = [at(above, column) + 1, at(here, column - 1) + 1, at(above, column - 1) + differs]
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      here.push(Math.min(...costs, isSwap ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY))
    }
    rows.push(here)
  }
  return at(rows.at(-1) ?? [], right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
