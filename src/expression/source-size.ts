import { ExpressionError } from './expression-error.ts'
import { scanSource, type Token } from './scan-source.ts'

const MAX_LENGTH = 64 * 1024
const MAX_BRACKETS = 100
/** Nodes of the tree, about. */
const MAX_WEIGHT = 100_000

/**
 * Refuses a source before it is parsed when parsing it would take too long: the library copies the left side of `?:` and
 * `??`, so each bracket around another doubles the tree.
 *
 * @throws ExpressionError `E1201`, `E1202`
 */
export function checkSourceSize(source: string): void {
  if (source.length > MAX_LENGTH) {
    throw new ExpressionError('syntax', 'E1201', `the expression is longer than ${MAX_LENGTH} characters`, {
      position: 0,
    })
  }
  const levels: Level[] = [{ done: 0, left: 0 }]
  for (const token of scanSource(source)) {
    if (token.kind === 'open') levels.push({ done: 0, left: 0 })
    if (levels.length > MAX_BRACKETS) throw tooDeep(token)
    weigh(levels, token)
  }
}

/** Inside one bracket: what stands before the operand that is being read, and that operand. */
interface Level {
  done: number
  left: number
}

function weigh(levels: Level[], token: Token): void {
  if (token.kind === 'close' && levels.length > 1) {
    const inner = levels.pop() as Level
    at(levels).left += inner.done + inner.left
  }
  const level = at(levels)
  level.left += 1
  if (token.kind === 'operator' && STARTS_ANEW.has(token.text)) {
    level.done += level.left * (token.text === '??' || token.text === '?:' ? 2 : 1)
    level.left = 0
  }
  if (level.done + level.left > MAX_WEIGHT) {
    const message = 'the expression is too large: its ?: and ?? nest too deeply'
    throw new ExpressionError('syntax', 'E1201', message, { position: token.end })
  }
}

/** After these the parser reads a new expression, so they end what could be copied. */
const STARTS_ANEW: ReadonlySet<string> = new Set(['??', '?:', '?', ':', ',', ';', ':='])

function at(levels: readonly Level[]): Level {
  return levels[levels.length - 1] as Level
}

function tooDeep(token: Token): ExpressionError {
  return new ExpressionError(
    'syntax',
    'E1202',
    `the expression has more than ${MAX_BRACKETS} brackets within each other`,
    {
      position: token.end,
    },
  )
}
