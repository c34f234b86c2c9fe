/** Where unguessable bytes come from, as a port: tests give a source that repeats itself. */
export type RandomBytes = (count: number) => Uint8Array

/**
 * Text of `length` characters out of a set of at most 256 different ones, all equally likely.
 *
 * Bytes beyond the last whole multiple of the set are drawn again: taken modulo, they would favour its first characters.
 */
export function randomText(length: number, characters: string, random: RandomBytes): string {
  const limit = 256 - (256 % characters.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random(length - text.length)) if (byte < limit) text += characters[byte % characters.length]
  }
  return text
}
