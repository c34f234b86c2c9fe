/** What Go says about broken JSON, as near as V8's message tells where it is broken. */
export function goSyntaxError(text: string, cause: string): string {
  if (text === '' || /end of JSON input|Unterminated/i.test(cause)) return 'unexpected end of JSON input'
  const position = Number(/position (\d+)/.exec(cause)?.[1] ?? 0)
  if (position >= text.length) return 'unexpected end of JSON input'
  return `invalid character '${text.charAt(position)}' looking for beginning of value`
}
