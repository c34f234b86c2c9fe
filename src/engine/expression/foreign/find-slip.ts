import { isReadable } from '../parse-expression.ts'
import { FUNCTION_SLIPS } from './function-slips.ts'
import { JINJA_SLIPS } from './jinja-slips.ts'
import { maskTexts } from './mask-texts.ts'
import { OPERATOR_SLIPS } from './operator-slips.ts'
import { PATH_SLIPS } from './path-slips.ts'
import type { SlipKnowledge, SlipRule } from './slip.ts'
import { JOINED_TEXTS, READABLE_TEXT_SLIPS, TEXT_SLIPS } from './text-slips.ts'

/** A piece of another language in an expression: where it stands, and how the expression would be written. */
export interface Slip {
  readonly message: string
  readonly hint: string
  readonly position: number
  readonly length: number
}

/** Rules for what cannot be read, in the order in which they are tried; then those for what can. */
const UNREADABLE: readonly SlipRule[] = [...TEXT_SLIPS, ...OPERATOR_SLIPS, ...JINJA_SLIPS]
const READABLE: readonly SlipRule[] = [...READABLE_TEXT_SLIPS, ...PATH_SLIPS, ...FUNCTION_SLIPS]
const ALL = [...READABLE_TEXT_SLIPS, ...UNREADABLE, ...READABLE]
const REWRITTEN = [...ALL, JOINED_TEXTS]

/** Slips are looked for in what a person writes. */
const LONGEST = 2_000
/** How many slips of one expression are written anew. */
const MOST_REWRITES = 12

/** The slip that keeps an expression from being parsed. */
export function slipInBroken(source: string, known: SlipKnowledge): Slip | undefined {
  return findSlip(source, ALL, known)
}

/** The slip in an expression that can be read, and says something else than meant. */
export function slipInReadable(source: string, known: SlipKnowledge): Slip | undefined {
  return findSlip(source, READABLE, known)
}

function findSlip(source: string, rules: readonly SlipRule[], known: SlipKnowledge): Slip | undefined {
  if (source.length > LONGEST) return undefined
  const found = firstOf(source, rules, known)
  if (found === undefined) return undefined
  const { rule, match } = found
  const whole = writtenAnew(source, known)
  const lead = match[0].length - match[0].trimStart().length
  return {
    message: rule.message,
    hint:
      whole === undefined
        ? rule.hint
        : [`write \`\${${whole.trim()}}\``, alsoMeant(source, found, known)].filter(Boolean).join('; '),
    position: match.index + lead,
    length: Math.max(1, match[0].trim().length),
  }
}

function alsoMeant(source: string, { rule, match }: Match, known: SlipKnowledge): string | undefined {
  return rule.also?.(unmasked(source, match, rule.pattern), known)
}

interface Match {
  readonly rule: SlipRule
  readonly match: RegExpExecArray
}

/** Of the first rule that fits anywhere. */
function firstOf(source: string, rules: readonly SlipRule[], known: SlipKnowledge): Match | undefined {
  const masked = maskTexts(source)
  for (const rule of rules) {
    const match = rule.pattern.exec(masked)
    if (match && (rule.when?.(unmasked(source, match, rule.pattern), known) ?? true)) return { rule, match }
  }
  return undefined
}

/** The whole expression as JSONata. `undefined`: it is not known, or could not be read either. */
function writtenAnew(source: string, known: SlipKnowledge): string | undefined {
  let text = source
  for (let left = MOST_REWRITES; left > 0; left--) {
    const found = firstOf(text, REWRITTEN, known)
    if (found === undefined) return isReadable(text) ? text : undefined
    const { rule, match } = found
    const parts = unmasked(text, match, rule.pattern)
    const rewritten = rule.rewrite?.(parts, known)
    if (rewritten === undefined || rewritten === '' || rewritten.includes('…')) return undefined
    text = text.slice(0, match.index) + rewritten + text.slice(match.index + match[0].length)
  }
  return undefined
}

/** The parts of a match as they are written. */
function unmasked(source: string, match: RegExpExecArray, pattern: RegExp): readonly string[] {
  const exact = new RegExp(pattern.source, `${pattern.flags.replace('d', '')}d`).exec(maskTexts(source))
  return (exact?.indices ?? match.map(() => undefined)).map((range) =>
    range ? source.slice(...range) : undefined,
  ) as string[]
}
