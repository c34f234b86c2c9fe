import { ExpressionError } from './expression-error.ts'
import { scanSource, type Token } from './scan-source.ts'

const MAX_LENGTH = 64 * 1024
const MAX_BRACKETS = 100
/** Tokens that one could depend on within each other: the parser recurses for each. */
const MAX_CHAIN = 1500
/** Nodes of the tree, about. */
const MAX_WEIGHT = 100_000

/**
 * Refuses a source before it is parsed when parsing it would take too long or too deep.
 *
 * The library recurses along chains of operators, and copies the left side of `?:` and `??`, so that each bracket around
 * another doubles the tree.
 *
 * @throws ExpressionError `E1201`, `E1202`
 */
export function checkSourceSize(source: string): void {
  if (source.length > MAX_LENGTH) throw tooLarge(`it is longer than ${MAX_LENGTH} characters`, 0)
  const levels: Level[] = [newLevel()]
  let chain = 0
  for (const token of scanSource(source)) {
    if (token.kind === 'open') levels.push(newLevel())
    if (levels.length > MAX_BRACKETS)
      throw tooDeep(`it has more than ${MAX_BRACKETS} brackets within each other`, token)
    if (token.kind === 'close' && levels.length > 1) chain -= closeLevel(levels)
    chain += countToken(levels, token)
    if (chain > MAX_CHAIN) throw tooDeep(`it chains more than ${MAX_CHAIN} operators and operands`, token)
  }
}

/** Inside one bracket. */
interface Level {
  /** Weight of what stands before the operand that is being read. */
  done: number
  /** Weight of that operand. */
  left: number
  /** Tokens since the last comma or semicolon. */
  chain: number
}

function newLevel(): Level {
  return { done: 0, left: 0, chain: 0 }
}

/** What is in a bracket becomes part of the operand around it. Returns the tokens that no longer are in a chain. */
function closeLevel(levels: Level[]): number {
  const inner = levels.pop() as Level
  innermost(levels).left += inner.done + inner.left
  return inner.chain
}

/** Returns by how much the token makes the chain longer. */
function countToken(levels: readonly Level[], token: Token): number {
  const level = innermost(levels)
  const before = level.chain
  level.chain = SEPARATORS.has(token.text) ? 0 : before + 1
  level.left += 1
  if (token.kind === 'operator' && STARTS_ANEW.has(token.text)) {
    level.done += level.left * (token.text === '??' || token.text === '?:' ? 2 : 1)
    level.left = 0
  }
  if (level.done + level.left > MAX_WEIGHT) throw tooLarge('its ?: and ?? are in too many brackets', token.end)
  return level.chain - before
}

const SEPARATORS: ReadonlySet<string> = new Set([',', ';'])

/** After these the parser reads a new expression, so they end what could be copied. */
const STARTS_ANEW: ReadonlySet<string> = new Set(['??', '?:', '?', ':', ',', ';', ':='])

function innermost(levels: readonly Level[]): Level {
  return levels[levels.length - 1] as Level
}

function tooLarge(reason: string, position: number): ExpressionError {
  return new ExpressionError('syntax', 'E1201', `the expression is too large: ${reason}`, { position })
}

function tooDeep(reason: string, token: Token): ExpressionError {
  return new ExpressionError('syntax', 'E1202', `the expression nests too deeply: ${reason}`, { position: token.end })
}
