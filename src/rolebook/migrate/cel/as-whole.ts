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

/** Whether the bracket that a text begins with is closed at its end. */
function isConstructor(text: string): boolean {
  const plain = text.replace(LITERALS, '')
  let depth = 0
  const end = [...plain].findIndex((character) => {
    if (character === '[') depth += 1
    if (character === ']') depth -= 1
    return depth === 0
  })
  return plain.startsWith('[') && end === [...plain].length - 1
}

/** Texts, names in backticks and regular expressions: brackets in them open and close nothing. */
const LITERALS = /"(?:[^"\\]|\\.)*"|`[^`]*`|(?<=, )\/(?:[^/\\]|\\.)+\//g
