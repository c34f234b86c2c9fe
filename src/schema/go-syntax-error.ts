/** What Go says about broken JSON, as near as V8's message tells where it is broken. */
export function goSyntaxError(text: string, cause: string): string {
  if (text === '' || /end of JSON input|Unterminated/i.test(cause)) return 'unexpected end of JSON input'
  const position = Number(/position (\d+)/.exec(cause)?.[1] ?? 0)
  if (position >= text.length) return 'unexpected end of JSON input'
  const place = cause.includes('after JSON') ? 'after top-level value' : 'looking for beginning of value'
  // Go looks at bytes.
  const [first = 0] = new TextEncoder().encode(text.charAt(position))
  return `invalid character '${String.fromCharCode(first)}' ${place}`
}
