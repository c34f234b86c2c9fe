/** A piece of an expression's source, as far as it takes to find brackets and operators in it. */
export interface Token {
  readonly kind: 'operand' | 'operator' | 'open' | 'close'
  readonly text: string
  readonly start: number
  /** Just after its last character. */
  readonly end: number
}

const SPACE = /[ \t\n\r\v]+/y
const COMMENT = /\/\*[\s\S]*?\*\//y
const TEXT = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y
const QUOTED_NAME = /`[^`]*`/y
const OPERATOR = /\.\.|:=|!=|>=|<=|\*\*|~>|\?:|\?\?|[.,@#;:?+\-*/%|=<>^&!~]/y
const NAME = /[^ \t\n\r\v.[\]{}(),@#;:?+\-*/%|=<>^&!~"'`]+/y

/**
 * The tokens of an expression from an offset on, for questions that come before parsing: where a `${ … }` ends, how large
 * a tree the source can become. Ends early at a text, comment or pattern that is not closed; the parser reports those.
 */
export function* scanSource(source: string, from = 0): Generator<Token> {
  let at = from
  let afterOperand = false
  while (at < source.length) {
    const skipped = match(SPACE, source, at) ?? match(COMMENT, source, at)
    if (skipped !== undefined) {
      at += skipped.length
      continue
    }
    const token = nextToken(source, at, afterOperand)
    if (token === undefined) return
    yield token
    afterOperand = token.kind === 'operand' || token.kind === 'close'
    at = token.end
  }
}

function nextToken(source: string, start: number, afterOperand: boolean): Token | undefined {
  const char = source.charAt(start)
  const token = (kind: Token['kind'], text: string): Token => ({ kind, text, start, end: start + text.length })
  if ('([{'.includes(char)) return token('open', char)
  if (')]}'.includes(char)) return token('close', char)
  if (char === '"' || char === "'") return optional(match(TEXT, source, start), (text) => token('operand', text))
  if (char === '`') return optional(match(QUOTED_NAME, source, start), (text) => token('operand', text))
  if (char === '/' && !afterOperand) return optional(matchRegex(source, start), (text) => token('operand', text))
  const operator = match(OPERATOR, source, start)
  if (operator !== undefined) return token(isOperand(operator, afterOperand) ? 'operand' : 'operator', operator)
  const name = match(NAME, source, start) as string
  return token(afterOperand && /^(?:and|or|in)$/.test(name) ? 'operator' : 'operand', name)
}

/** `*`, `**` and `%` stand for values where a value is due. */
function isOperand(operator: string, afterOperand: boolean): boolean {
  return !afterOperand && (operator === '*' || operator === '**' || operator === '%')
}

/** A pattern ends at a slash outside of brackets that is not escaped, as in the library. */
function matchRegex(source: string, start: number): string | undefined {
  let depth = 0
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source.charAt(at)
    if (char === '\\') at += 1
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (char === '/' && depth === 0) return source.slice(start, at + 1) + match(/[im]*/y, source, at + 1)
  }
  return undefined
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

function optional<Result>(text: string | undefined, then: (text: string) => Result): Result | undefined {
  return text === undefined ? undefined : then(text)
}
