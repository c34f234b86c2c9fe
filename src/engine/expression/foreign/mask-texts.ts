/** The source with what stands in quotes and comments replaced, so that patterns find code alone. Offsets stay the same. */
export function maskTexts(source: string): string {
  return source.replace(TEXT, (text) => {
    if (text.startsWith('/*')) return ' '.repeat(text.length)
    return `${text.charAt(0)}${'_'.repeat(Math.max(0, text.length - 2))}${text.charAt(text.length - 1)}`
  })
}

const TEXT = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\*[\s\S]*?\*\//g
