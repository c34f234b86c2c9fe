const CODES = { bold: 1, dim: 2, inverse: 7, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** A text in a colour of the terminal, where it has colours. */
export function paint(text: string, as: keyof typeof CODES, color: boolean): string {
  return color ? `\u001b[${CODES[as]}m${text}\u001b[0m` : text
}
