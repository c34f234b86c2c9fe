import { ExpressionError } from './expression-error.ts'
import { scanSource } from './scan-source.ts'

/** A piece of a text: as it is, or an expression with the offset of its source in the text. */
export type TemplatePart = { readonly text: string } | { readonly source: string; readonly offset: number }

/**
 * Splits a text at its `${ … }`. Braces in strings, patterns, comments and quoted names do not count; `$${` is a literal
 * `${`.
 *
 * @throws ExpressionError `E1203` when one is not closed, at the offset of its `$`
 */
export function splitTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  for (let dollar = text.indexOf('${'); dollar >= 0; dollar = text.indexOf('${', at)) {
    if (dollar > at && text.charAt(dollar - 1) === '$') {
      literal += `${text.slice(at, dollar - 1)}\${`
      at = dollar + 2
      continue
    }
    literal += text.slice(at, dollar)
    if (literal !== '') parts.push({ text: literal })
    literal = ''
    const end = endOfExpression(text, dollar)
    parts.push({ source: text.slice(dollar + 2, end), offset: dollar + 2 })
    at = end + 1
  }
  literal += text.slice(at)
  if (literal !== '' || parts.length === 0) parts.push({ text: literal })
  return parts
}

/** The offset of the brace that closes the `${` at `dollar`. */
function endOfExpression(text: string, dollar: number): number {
  let depth = 0
  for (const token of scanSource(text, dollar + 2)) {
    if (token.text === '{') depth += 1
    else if (token.text === '}') {
      if (depth === 0) return token.start
      depth -= 1
    }
  }
  const message = 'the ${ has no matching }: close it, or write $${ for the text itself'
  throw new ExpressionError('syntax', 'E1203', message, { position: dollar })
}

/** The expression that a text consists of, white space around it aside; then its value may be of any type. */
export function wholeExpression(parts: readonly TemplatePart[]): { source: string; offset: number } | undefined {
  const expressions = parts.filter((part) => 'source' in part)
  const isAlone = parts.every((part) => 'source' in part || part.text.trim() === '')
  return expressions.length === 1 && isAlone ? expressions[0] : undefined
}
