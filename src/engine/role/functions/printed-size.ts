import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { walkDown } from '../../../core/base/nested-too-deeply.ts'

/**
 * How many characters a value has when it is printed, roughly: known before that is done, and hardly ever more than there will be.
 *
 * @param step how much further each level is indented
 */
export function printedSizeOf(value: JsonValue | undefined, step: number): number {
  return walkDown(() => sizeWithin(value, step, 0))
}

function sizeWithin(value: JsonValue | undefined, step: number, indent: number): number {
  const sizeOf = (inner: JsonValue | undefined): number => MARK + sizeWithin(inner, step, indent + step)
  if (isJsonArray(value)) return indented(value.map(sizeOf), indent)
  if (isJsonObject(value))
    return indented(
      Object.entries(value).map(([key, inner]) => key.length + sizeOf(inner)),
      indent,
    )
  return typeof value === 'string' ? 1 + value.length + indent * lineBreaksIn(value) : SCALAR
}

/** `- ` or `: `. */
const MARK = 2
/** A digit and a line break. */
const SCALAR = 2

/** The first entry stands in the line of the list that holds it. */
function indented(sizes: readonly number[], indent: number): number {
  return sizes.reduce((sum, size) => sum + indent + size, sizes.length > 0 ? -indent : 0)
}

function lineBreaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
