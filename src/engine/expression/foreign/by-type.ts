import { canBe, isAlways, type Type } from '../types/type.ts'
import type { SlipKnowledge } from './slip.ts'

/** Names of other languages for the number of items, and of the letters of a text. */
const SIZES: ReadonlySet<string> = new Set(['size', 'len', 'length'])

/** The size of a value, by the name of its function in another language. `undefined`: it is another function, or the type is not known. */
export function sizeByType(name: string, value: string, known: SlipKnowledge): string | undefined {
  const type = SIZES.has(name) ? typeOf(value, known) : undefined
  if (type === undefined) return undefined
  if (isAlways(type, 'text')) return `$length(${value}${type.optional ? ' ?? ""' : ''})`
  if (isAlways(type, 'object')) return `$count($keys(${value}))`
  return canBe(type, 'list') && !type.shapes?.some(({ kind }) => kind === 'text') ? `$count(${value})` : undefined
}

/** What a size may mean besides the number of items, when the type does not tell. */
export function otherSize(name: string, value: string, known: SlipKnowledge): string | undefined {
  const isOpen = SIZES.has(name) && sizeByType(name, value, known) === undefined
  return isOpen ? `the length of a text is \`$length(${value})\`` : undefined
}

/** What `!` of a value asks. `undefined`: the type is not known. */
export function negationByType(value: string, known: SlipKnowledge): string | undefined {
  const type = typeOf(value, known)
  if (type === undefined) return undefined
  if (isAlways(type, 'boolean')) return `$not(${value}${type.optional ? ' ?? false' : ''})`
  if (canBe(type, 'boolean')) return undefined
  if (type.optional) return `$not($exists(${value}))`
  if (isAlways(type, 'text')) return `${value} = ""`
  if (isAlways(type, 'number')) return `${value} = 0`
  return isAlways(type, 'list') ? `$count(${value}) = 0` : undefined
}

/** What `!` of a path may ask besides, when the type does not tell. */
export function otherNegation(value: string, known: SlipKnowledge): string | undefined {
  const isOpen = /^[\w.]+$/.test(value) && negationByType(value, known) === undefined
  return isOpen ? `\`$not($exists(${value}))\` asks whether it is missing` : undefined
}

/** Whether the type of a value is known, and is never true or false. */
export function isNoCondition(value: string, known: SlipKnowledge): boolean {
  const type = typeOf(value, known)
  return type !== undefined && !canBe(type, 'boolean')
}

/** `undefined`: nothing is known of it. */
function typeOf(value: string, known: SlipKnowledge): Type | undefined {
  const type = known.typeOf?.(value)
  return type?.shapes === undefined || type.shapes.length === 0 ? undefined : type
}
