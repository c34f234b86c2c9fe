/** Control characters, ends of lines and paragraphs, and marks that turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Text from outside, made safe to print on one line of a terminal or a log: characters that move the cursor, end a line
 * or turn the direction of writing become spaces.
 */
export function printableText(text: string): string {
  return text.replace(CONTROLS, ' ')
}
