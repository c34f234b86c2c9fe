import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { duplicate, type FieldErrors, tooMany } from '../common/field-errors.ts'
import { itemsAt, textAt, textsAt } from '../common/fields.ts'

/** Checks one item of a list, or one value of a map. */
export type ItemCheck<T> = (item: T, field: string) => FieldErrors

/** Checks the items of a list. Of a list that is too long, it reports only that. */
export function validateList<T>(items: readonly T[], most: number, field: string, check: ItemCheck<T>): FieldErrors {
  if (items.length > most) return [tooMany(field, items.length, most)]
  return items.flatMap((item, index) => check(item, `${field}[${index}]`))
}

/** The same for a list whose items have keys. It also reports each key that occurs again. */
export function validateSet<T>(
  items: readonly T[],
  most: number,
  field: string,
  { check, key }: { readonly check: ItemCheck<T>; readonly key: (item: T) => JsonValue },
): FieldErrors {
  if (items.length > most) return [tooMany(field, items.length, most)]
  return [...validateList(items, most, field, check), ...duplicatesIn(items.map(key), field)]
}

function duplicatesIn(keys: readonly JsonValue[], field: string): FieldErrors {
  const seen = new Set<string>()
  return keys.flatMap((key, index) => {
    const text = JSON.stringify(key)
    if (seen.has(text)) return [{ ...duplicate(`${field}[${index}]`, key), shown: 'struct' as const }]
    seen.add(text)
    return []
  })
}

/** Items with names. */
export function validateNamed(object: JsonObject, list: string, { most, field, key, check }: NamedList): FieldErrors {
  return validateSet(itemsAt(object, list), most, `${field}.${list}`, { check, key: (item) => textAt(item, key) })
}

interface NamedList {
  readonly most: number
  /** Of the object. */
  readonly field: string
  /** The field that identifies an item. */
  readonly key: string
  readonly check: ItemCheck<JsonObject>
}

/** Texts, each there once. */
export function validateTexts(
  object: JsonObject,
  list: string,
  { most, field, check }: { readonly most: number; readonly field: string; readonly check: ItemCheck<string> },
): FieldErrors {
  return validateSet(textsAt(object, list), most, `${field}.${list}`, { check, key: (item) => item })
}
