import { ExpressionError } from './expression-error.ts'

/** Evaluates; what goes wrong says at which place, with which code and in which function or operator. Never a value. */
export function namePlace<T>(place: string, evaluate: () => T): T {
  try {
    return evaluate()
  } catch (error) {
    throw error instanceof ExpressionError ? named(error, place) : error
  }
}

function named(error: ExpressionError, place: string): ExpressionError {
  const { phase, code, message, position, token } = error
  const where = place === '' ? '' : `${place}: `
  const what = token === undefined || token === '' || message.includes(token) ? '' : ` (at \`${token}\`)`
  const placed = new ExpressionError(phase, code, `${where}${code}: ${message}${what}`, {
    position,
    token,
    field: place,
  })
  if (error.stack !== undefined) placed.stack = error.stack
  return placed
}
