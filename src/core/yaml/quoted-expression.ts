/**
 * The quoted form of the scalar with `${ … }` in a line of YAML that cannot be read as it is, or `undefined` when the line
 * holds none. YAML ends a plain scalar at `: `, ` #` and, inside `{ }` and `[ ]`, at braces and commas.
 */
export function quotedExpression(line: string): string | undefined {
  const open = line.indexOf('${')
  if (open === -1) return undefined
  const start = scalarStart(line, open)
  const end = scalarEnd(line, open)
  const text = line.slice(start, end).trim()
  return text.includes('"') || text.includes('\\') ? `'${text.replaceAll("'", "''")}'` : `"${text}"`
}

function scalarStart(line: string, open: number): number {
  return open - line.slice(0, open).replace(/^.*(?:: |- |[[{,])/s, '').length
}

/** Behind the matching brace, and the text that follows up to the next mark of YAML. */
function scalarEnd(line: string, open: number): number {
  let depth = 0
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === '{') depth += 1
    if (line[at] === '}') depth -= 1
    if (depth === 0) return at + 1 + line.slice(at + 1).search(/[\s,\]}"']|$/)
  }
  return line.length
}
