import type { DefaultCheck } from '../../../../core/schema/check-defaults.ts'
import { runValidations } from './run-validations.ts'
import { compileValidator } from './validator.ts'

/** What the CEL rules of a schema say against its default: as of a value that stays, and as of one that is new. */
export const checkDefault: DefaultCheck = (value, schema, { isResource }) => {
  const validator = compileValidator(schema, { isResource })
  if (!validator) return []
  const { errors } = runValidations(validator, value, value, { forgives: false })
  return errors.length > 0 ? errors : runValidations(validator, value, undefined).errors
}
