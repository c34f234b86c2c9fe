/** A scalar in a line of YAML that needs quotes. */
export interface UnquotedScalar {
  /** With its quotes. */
  readonly quoted: string
  /** The line with that in place of it. */
  readonly line: string
  /** Whether it is a template of Helm or Jinja. */
  readonly isForeign: boolean
}

/** What begins an expression of ours, or a template of others. */
const OPEN = /\$\{|\{\{/g

/**
 * The quoted form of the scalar with `${ … }` in a line of YAML that cannot be read as it is, or `undefined` when the line
 * holds none. YAML ends a plain scalar at `: `, ` #` and, inside `{ }` and `[ ]`, at braces and commas.
 */
export function quotedExpression(line: string): string | undefined {
  const found = unquotedScalar(line)
  return found?.isForeign ? undefined : found?.quoted
}

/** The first scalar with an expression, or with a template of others, that stands without quotes. */
export function unquotedScalar(line: string): UnquotedScalar | undefined {
  let behind = 0
  for (const { index: open, 0: mark } of line.matchAll(OPEN)) {
    if (open < behind) continue
    const start = scalarStart(line, open)
    const end = scalarEnd(line, open)
    behind = end
    const text = line.slice(start, end).trim()
    if (isInQuotes(line, start, open)) continue
    const isSingle = text.includes('"') || text.includes('\\')
    const quoted = isSingle ? `'${text.replaceAll("'", "''")}'` : `"${text}"`
    return { quoted, line: line.slice(0, start) + quoted + line.slice(end), isForeign: mark === '{{' }
  }
  return undefined
}

/** Whether the scalar begins with a quote that is closed behind `open`, and not before it. */
function isInQuotes(line: string, start: number, open: number): boolean {
  const quote = line.charAt(start)
  return (quote === '"' || quote === "'") && line.indexOf(quote, start + 1) > open
}

function scalarStart(line: string, open: number): number {
  return open - line.slice(0, open).replace(/^.*(?:: |- |[[{,])/s, '').length
}

/** Behind the matching brace, and the text that follows up to the next mark of YAML. */
function scalarEnd(line: string, open: number): number {
  let depth = 0
  for (let at = line.indexOf('{', open); at < line.length; at++) {
    if (line[at] === '{') depth += 1
    if (line[at] === '}') depth -= 1
    if (depth === 0) return at + 1 + line.slice(at + 1).search(/[\s,\]}"']|$/)
  }
  return line.length
}
