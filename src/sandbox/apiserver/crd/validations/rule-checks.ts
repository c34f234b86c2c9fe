import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import type { FieldError } from '../../../../core/schema/field-error.ts'
import type { Schema } from '../../../../core/schema/schema.ts'
import { validate } from '../../../../core/schema/validate.ts'
import type { KindRules } from '../../kinds/kind-rules.ts'
import { runValidations, type ValidationOutcome } from './run-validations.ts'
import { compileValidator } from './validator.ts'

/** The rules of `x-kubernetes-validations`, as a part of what is checked when a custom resource is written. */
export interface RuleChecks {
  /** Complaints of the schema with those of the rules, which are not asked when the schema's say enough. */
  add(object: KubeObject, old: KubeObject | undefined, errors: readonly FieldError[]): readonly FieldError[]
  readonly warnings?: KindRules['warnings']
}

export function ruleChecks(schema: Schema): RuleChecks {
  const validator = compileValidator(schema)
  if (!validator) return { add: (_object, _old, errors) => errors }
  const run = (object: KubeObject, old: KubeObject | undefined): ValidationOutcome =>
    runValidations(validator, object as JsonObject, old as JsonObject | undefined)
  return {
    add: (object, old, errors) =>
      isBlocking(errors) ? [...errors, NOT_CHECKED] : [...errors, ...run(object, old).errors],
    warnings: (object, old) => {
      const { warnings } = old ? run(object, old) : NO_WARNINGS
      if (warnings.length === 0) return warnings
      // Also asked about what is refused: rules that the schema's complaints kept from being asked do not warn either.
      const errors = validate(object as JsonObject, schema, { old: old as JsonObject | undefined })
      return isBlocking(errors) ? [] : warnings
    },
  }
}

const NO_WARNINGS: Pick<ValidationOutcome, 'warnings'> = { warnings: [] }

function isBlocking(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => BLOCKING.has(type))
}

const BLOCKING: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
])

const NOT_CHECKED: FieldError = {
  type: 'Invalid',
  field: '',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}
