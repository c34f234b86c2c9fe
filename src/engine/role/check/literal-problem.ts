import type { JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { textHint } from '../../../core/schema/text-hint.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { isAlways, type Type } from '../../expression/types/type.ts'
import { schemaType } from './schema-type.ts'

interface Literal {
  readonly literal: JsonValue | undefined
  /** With the quotes that it has in the file. */
  readonly written: string
  readonly schema: Schema | undefined
}

/** A value of a wrong type that stands in the file itself: what it lacks is quotes, or to be without them. No function is needed. */
export function literalProblem(problem: Problem, { literal, written, schema }: Literal): Problem {
  const wanted = schemaType(schema)
  if (typeof literal === 'string') return problemWithText(problem, literal, wanted)
  if (!isAlways(wanted, 'text')) return problem
  return { ...problem, hint: textHint(textOf(literal, written, wanted), schema ?? {}) }
}

function problemWithText(problem: Problem, literal: string, wanted: Type): Problem {
  const isMeant = isAlways(wanted, 'number')
    ? NUMBER.test(literal)
    : isAlways(wanted, 'boolean') && BOOLEAN.test(literal)
  if (isMeant) return { ...problem, hint: `write it without quotes: \`${literal}\`` }
  return isAlways(wanted, 'number', 'boolean') ? { ...problem, hint: undefined } : problem
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const BOOLEAN = /^(?:true|false)$/

/** True and false have capital letters where the texts that are allowed have. */
function textOf(literal: JsonValue | undefined, written: string, { shapes = [] }: Type): string {
  const [only] = shapes
  const allowed = (only?.kind === 'text' && only.values) || []
  const capital = literal === true ? 'True' : 'False'
  return typeof literal === 'boolean' && allowed.includes(capital) ? capital : written
}
