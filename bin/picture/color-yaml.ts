/** A line of YAML in pieces, each with what it is: `key`, `expression`, `comment`, or nothing. */
export function colorYaml(line: string): readonly (readonly [text: string, style: string])[] {
  const pieces: (readonly [string, string])[] = []
  for (const [piece, expression, comment, key] of line.matchAll(PIECES)) {
    const style = expression ? 'expression' : comment ? 'comment' : key ? 'key' : ''
    pieces.push([piece, style])
  }
  return pieces
}

const PIECES = /(\$\{[^}]*\})|(#.*)|([\w.-]+(?=:(?:\s|$)))|(?:(?!\$\{|#|[\w.-]+:(?:\s|$))[\s\S])+/g
