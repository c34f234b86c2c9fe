/** Says what is wrong, or questionable, about a part of an object, from nothing but the part; `field` is where it stands. */
type Judge<Part, T> = (part: Part, field: string) => readonly T[]

/**
 * The judge, who says nothing at once of a part about which there was nothing to say before. Most parts of a written object
 * are the very ones of its last state, or of the object written before it: see `share-unchanged.ts`.
 */
export function judgeOnce<Part extends object, T>(judge: Judge<Part, T>): Judge<Part, T> {
  const fine = new WeakSet<Part>()
  return (part, field) => {
    if (fine.has(part)) return []
    const complaints = judge(part, field)
    if (complaints.length === 0) fine.add(part)
    return complaints
  }
}
