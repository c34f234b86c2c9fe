// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Text from outside, made safe to print on one line of a terminal or a log: characters that move the cursor, end a line
 * or turn the direction of writing become spaces.
 */
export function printableText(text: string): string {
  return text.replace(CONTROLS, ' ')
}
