/** The shortest text that a slip is looked for in, and how many letters a slip may change. */
const SHORTEST = 3
const MOST_LETTERS = 2

/** Whether a text is another one with a letter or two left out, added or swapped; not one with another number or another part. */
export function isSlip(text: string, other: string): boolean {
  const longest = Math.max(text.length, other.length)
  if (text === other || longest < SHORTEST || digits(text) !== digits(other) || parts(text) !== parts(other))
    return false
  const changed = changedLetters(text, other)
  return changed <= MOST_LETTERS && changed * 2 < longest
}

function digits(text: string): string {
  return text.replace(/\D/g, '')
}

function parts(text: string): number {
  return text.split(/[-./]/).length
}

/** How long the stretch in the middle is that is not the same. */
function changedLetters(text: string, other: string): number {
  const least = Math.min(text.length, other.length)
  let start = 0
  while (start < least && text[start] === other[start]) start++
  let end = 0
  while (end < least - start && text.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(text.length, other.length) - start - end
}
