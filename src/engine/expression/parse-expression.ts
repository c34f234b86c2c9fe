import jsonata from 'jsonata'
import { ExpressionError } from './expression-error.ts'
import { scanSource, type Token } from './scan-source.ts'
import { checkSourceSize } from './source-size.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { checkTreeSize } from './tree-shape.ts'

/**
 * The syntax tree of an expression.
 *
 * The jsonata library parses, and only that. It is protected from sources that it would take too long or too deep for.
 *
 * @throws ExpressionError with the library's code and position
 */
export function parseExpression(source: string): SyntaxNode {
  checkSourceSize(source)
  const tree = parse(source)
  checkTreeSize(tree)
  return tree
}

export function isReadable(source: string): boolean {
  try {
    parseExpression(source)
    return true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

function parse(source: string): SyntaxNode {
  try {
    // The library's own type of its tree is too loose to use; `syntax-tree.ts` says what is in it.
    return jsonata(source).ast() as unknown as SyntaxNode
  } catch (error) {
    throw toSyntaxError(error, source)
  }
}

/** The library throws plain objects; for a broken regular expression, JavaScript's own error without a place. */
function toSyntaxError(error: unknown, source: string): ExpressionError {
  if (error instanceof RangeError) {
    return new ExpressionError('syntax', 'E1202', 'the expression nests too deeply', { position: 0, cause: error })
  }
  const { code, position, token, message } = error as { [key in 'code' | 'position' | 'token' | 'message']?: unknown }
  if (typeof code !== 'string') {
    const at = { position: endOfBrokenRegex(source), cause: error }
    return new ExpressionError('syntax', 'E1206', String(message), at)
  }
  return new ExpressionError('syntax', code, String(message), {
    position: typeof position === 'number' ? position : undefined,
    token: token === undefined ? undefined : String(token),
  })
}

function endOfBrokenRegex(source: string): number | undefined {
  const isBroken = ({ kind, text }: Token): boolean => kind === 'operand' && text.startsWith('/') && !isRegex(text)
  return [...scanSource(source)].find(isBroken)?.end
}

function isRegex(literal: string): boolean {
  const slash = literal.lastIndexOf('/')
  try {
    return new RegExp(literal.slice(1, slash), literal.slice(slash + 1)) instanceof RegExp
  } catch {
    return false
  }
}
