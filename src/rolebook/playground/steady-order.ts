/**
 * Which of the present ones stands where, so that as few as possible move: those that were there keep their places, and the last ones go
 * where others have left. New ones come last.
 */
export function steadyOrder(before: readonly string[], present: readonly string[]): readonly string[] {
  const isPresent = new Set(present)
  const wasThere = new Set(before)
  const places = before.map((one) => (isPresent.has(one) ? one : undefined))
  const waiting = present.filter((one) => !wasThere.has(one))
  for (let place = 0; place < places.length; place++) {
    if (places[place] === undefined) places[place] = waiting.shift() ?? takeLast(places, place)
  }
  return [...places.filter((one) => one !== undefined), ...waiting]
}

/** Takes the last one that stands behind a place. */
function takeLast(places: (string | undefined)[], place: number): string | undefined {
  for (let last = places.length - 1; last > place; last--) {
    const found = places[last]
    if (found === undefined) continue
    places[last] = undefined
    return found
  }
  return undefined
}
