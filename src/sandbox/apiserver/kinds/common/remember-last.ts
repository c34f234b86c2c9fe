/**
 * The function, which remembers what it made of the part that it was given last. Objects that are written one after the
 * other share most of their parts: see `share-unchanged.ts`.
 */
export function rememberLast<Part, Result>(work: (part: Part) => Result): (part: Part) => Result {
  let last: { readonly part: Part; readonly result: Result } | undefined
  return (part) => {
    if (last === undefined || last.part !== part) last = { part, result: work(part) }
    return last.result
  }
}
