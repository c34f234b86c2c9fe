import { textLiteral } from '../jsonata-text.ts'
import { Undecided } from '../undecided.ts'
import type { Translation } from './translation.ts'

/** A value that stands for itself: a list of one stays a list. */
export function asWhole(value: Translation): Translation {
  const { schema, text, specPath } = value
  if (schema?.type === 'array') {
    if (schema.items?.type === 'array') throw new Undecided('RB1705', 'a list of lists')
    return isConstructor(text) ? value : { ...value, text: `[${text}]` }
  }
  const [, from, field = ''] = /^(.*)\.(`[^`]+`|\w+)$/.exec(text) ?? []
  if (schema !== undefined || from === undefined || specPath !== undefined || !MAY_BE_LIST.test(field)) return value
  // `$lookup` keeps the form of a value: a list of one item stays a list.
  return { ...value, text: `$lookup(${from}, ${textLiteral(field.replaceAll('`', ''))})` }
}

/** Names of fields that may hold a list, as far as a name shows that. */
const MAY_BE_LIST = /(?<!s|u|i|Dn|Addres|Acces|Clas)s`?$|List`?$/

function isConstructor(text: string): boolean {
  if (!text.startsWith('[') || !text.endsWith(']')) return false
  let depth = 0
  for (const [index, character] of [...text].entries()) {
    if (character === '[') depth += 1
    if (character === ']') depth -= 1
    if (depth === 0) return index === [...text].length - 1
  }
  return false
}
