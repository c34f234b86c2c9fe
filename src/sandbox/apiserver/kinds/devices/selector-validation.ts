import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { CelCompileError } from '../../cel/cel-error.ts'
import {
  BOOL,
  type CelType,
  DYN,
  mapOf,
  objectType,
  opaqueType,
  printType,
  STRING,
  withTraits,
} from '../../cel/cel-type.ts'
import { compileCel } from '../../cel/compile-cel.ts'
import { type FieldErrors, forbidden, invalid, required, tooLong } from '../common/field-errors.ts'
import { itemsAt, textAt } from '../common/fields.ts'
import { validateList } from './lists.ts'

const MOST_SELECTORS = 32
const LONGEST_EXPRESSION = 10 * 1024
const COST_LIMIT = 1_000_000
const MOST_ATTRIBUTES = 32

const atMost = (type: CelType, maxElements: number): CelType => withTraits(type, { maxElements })
const few = { maxElements: MOST_ATTRIBUTES }
const ID = atMost(STRING, 32)
const DOMAIN = atMost(STRING, 63)

/** What expressions may say of a device. */
const DEVICE = objectType(
  'kubernetes.DRADevice',
  new Map<string, CelType>([
    ['driver', atMost(STRING, 63)],
    ['allowMultipleAllocations', atMost(BOOL, 1)],
    ['attributes', mapOf(DOMAIN, mapOf(ID, atMost(DYN, 64), few), few)],
    ['capacity', mapOf(DOMAIN, mapOf(ID, opaqueType('kubernetes.Quantity'), few), few)],
  ]),
)

/** Expressions that choose devices; they are looked at, and never evaluated: there is no device. */
export function validateSelectors(object: JsonObject, field: string): FieldErrors {
  return validateList(itemsAt(object, 'selectors'), MOST_SELECTORS, `${field}.selectors`, validateSelector)
}

function validateSelector({ cel }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(cel)) return [required(`${field}.cel`)]
  const place = `${field}.cel.expression`
  const expression = textAt(cel, 'expression')
  if (Buffer.byteLength(expression) > LONGEST_EXPRESSION) return [tooLong(place, LONGEST_EXPRESSION)]
  return validateExpression(expression, place)
}

function validateExpression(expression: string, field: string): FieldErrors {
  try {
    const program = compileCel(expression, { variables: { device: DEVICE }, bindsNames: true })
    if (program.type.kind !== 'bool' && program.type.kind !== 'dyn') {
      const type = printType(program.type)
      return [invalid(field, expression, `must evaluate to bool or the unknown type, not ${type}`)]
    }
    return program.estimateCost() > COST_LIMIT ? [forbidden(field, 'too complex, exceeds cost limit')] : []
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error
    return [invalid(field, expression, `compilation failed: ${error.message}`)]
  }
}
