import { scanSource } from '../scan-source.ts'

/** The source with what stands in quotes, patterns and comments replaced, so that rules find code alone. Offsets stay the same. */
export function maskTexts(source: string): string {
  let masked = source
  for (const { kind, text, start, end } of scanSource(source)) {
    const isPattern = kind === 'operand' && text.length > 1 && text.startsWith('/')
    if (isPattern) masked = masked.slice(0, start) + filled(text) + masked.slice(end)
  }
  return masked.replace(TEXT, (text) => (text.startsWith('/*') ? ' '.repeat(text.length) : filled(text)))
}

const TEXT = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\*[\s\S]*?\*\//g

/** Its first and last letter, with nothing of interest between them. */
function filled(text: string): string {
  return text.charAt(0) + '_'.repeat(Math.max(0, text.length - 2)) + text.slice(1).slice(-1)
}
