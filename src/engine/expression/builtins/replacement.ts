import type { Budget } from '../compile/budget.ts'
import type { Value } from '../value.ts'
import { payText } from './cost.ts'

/**
 * A replacement text with what was matched put in: `$0` is the match, `$1` the first group, `$$` a dollar sign.
 *
 * As many digits are read as the number of groups has, one less if that is no group. A `$` before anything else is itself.
 */
export function expandReplacement(template: string, captured: readonly Value[], budget: Budget): string {
  const groups = captured.length - 1
  let text = ''
  let position = 0
  for (let dollar = template.indexOf('$'); dollar >= 0; dollar = template.indexOf('$', position)) {
    text += template.slice(position, dollar)
    const { piece, length } = readReference(template.slice(dollar + 1, dollar + 20), groups)
    const value = typeof piece === 'number' ? captured[piece] : piece
    payText(budget, typeof value === 'string' ? value.length : 0)
    if (typeof value === 'string') text += value
    position = dollar + 1 + length
  }
  return text + template.slice(position)
}

interface Reference {
  /** Text, or the number of what was captured. */
  readonly piece: string | number
  /** How many characters after the `$` belong to it. */
  readonly length: number
}

function readReference(after: string, groups: number): Reference {
  if (after.startsWith('$')) return { piece: '$', length: 1 }
  if (after.startsWith('0')) return { piece: 0, length: 1 }
  const number = readGroupNumber(after, groups)
  return Number.isNaN(number) ? { piece: '$', length: 0 } : { piece: number, length: String(number).length }
}

function readGroupNumber(after: string, groups: number): number {
  const digits = String(Math.max(1, groups)).length
  const number = Number.parseInt(after.slice(0, digits), 10)
  return digits > 1 && number > groups ? Number.parseInt(after.slice(0, digits - 1), 10) : number
}
