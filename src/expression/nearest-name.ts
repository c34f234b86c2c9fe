/** The candidate that `name` was probably meant to be: the one with the fewest letters to change, if they are few. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best !== undefined && best.distance <= Math.max(1, name.length / 3) ? best.candidate : undefined
}

function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const here = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1
      const costs = [(above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + change]
      here.push(Math.min(...costs))
    }
    above = here
  }
  return above[right.length] ?? 0
}
