import type { JsonPath, JsonValue } from '../../../core/base/json.ts'
import { canBe, describeType } from '../../expression/types/type.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Checks that a text with expressions can yield true or false. */
export function checkCondition(
  value: JsonValue | undefined,
  place: { readonly path: JsonPath; readonly scope: TypeScope },
  texts: TypedTexts,
): void {
  if (typeof value !== 'string') return
  const type = texts.text(value, place)
  if (!value.includes('${') || type.shapes?.length === 0 || canBe(type, 'boolean')) return
  const message = `a condition is true or false, and this is ${describeType(type)}`
  texts.reportText(value, place, { code: 'RB1229', message, hint: 'write `$exists(…)`, or compare it' })
}
