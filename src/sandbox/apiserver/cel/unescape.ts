/** A string literal's content with its escapes resolved. Throws when one is unknown. */
export function unescapeText(content: string): string {
  return content.replaceAll(ESCAPE, (sequence) => String.fromCodePoint(codePointOf(sequence)))
}

/** Of a bytes literal: `\x` and octal escapes are bytes, all else is UTF-8. */
export function unescapeToBytes(content: string): Uint8Array {
  const encoder = new TextEncoder()
  const parts: number[] = []
  let end = 0
  for (const match of content.matchAll(ESCAPE)) {
    parts.push(...encoder.encode(content.slice(end, match.index)))
    const code = codePointOf(match[0])
    const isByte = /^\\[xX0-3]/.test(match[0])
    if (/^\\[uU]/.test(match[0])) throw new Error('unable to unescape string')
    parts.push(...(isByte ? [code] : encoder.encode(String.fromCodePoint(code))))
    end = match.index + match[0].length
  }
  return Uint8Array.from([...parts, ...encoder.encode(content.slice(end))])
}

const ESCAPE = /\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[\s\S])/g

function codePointOf(sequence: string): number {
  const name = sequence.charAt(1)
  const simple = SIMPLE[name]
  if (simple !== undefined) return simple.charCodeAt(0)
  if (sequence.length === 2) throw new Error('unable to unescape string')
  const code = /[0-3]/.test(name) ? Number.parseInt(sequence.slice(1), 8) : Number.parseInt(sequence.slice(2), 16)
  if (code > MAX_CODE_POINT || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE))
    throw new Error('invalid unicode code point')
  return code
}

const MAX_CODE_POINT = 0x10ffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
