import { resolveFieldPath } from '../../../../core/schema/rule-field-path.ts'
import type { Schema, ValidationRule } from '../../../../core/schema/schema.ts'
import { CelCompileError } from '../../cel/cel-error.ts'
import { type CelType, optionalOf } from '../../cel/cel-type.ts'
import { type CelProgram, compileCel } from '../../cel/compile-cel.ts'

/** A rule of `x-kubernetes-validations`, ready to run; or why it cannot. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly program?: CelProgram
  readonly error?: string
  readonly message?: CelProgram
  readonly messageError?: string
  /** The rule compares with the stored value. */
  readonly usesOldSelf: boolean
  /** Where complaints point, below the value. */
  readonly fieldPath: string
}

/** The rules that stand at one place of a schema. */
export function compileRules(rules: readonly ValidationRule[], schema: Schema, type: CelType): readonly CompiledRule[] {
  return rules.map((rule) => compileRule(rule, schema, type))
}

function compileRule(rule: ValidationRule, schema: Schema, type: CelType): CompiledRule {
  const fieldPath = (rule.fieldPath ? resolveFieldPath(rule.fieldPath, schema) : undefined) ?? ''
  const nothing = { rule, usesOldSelf: false, fieldPath }
  // A rule of blanks is refused as such, and is no expression.
  if (rule.rule.trim() === '') return nothing
  const variables = { self: type, oldSelf: rule.optionalOldSelf ? optionalOf(type) : type }
  const compiled = compile(rule.rule, variables)
  if (typeof compiled === 'string') return { ...nothing, error: `compilation failed: ${compiled}` }
  if (compiled.type.kind !== 'bool') return { ...nothing, error: 'cel expression must evaluate to a bool' }
  const checked = { ...nothing, program: compiled, usesOldSelf: compiled.variables.has('oldSelf') }
  return rule.messageExpression ? { ...checked, ...compileMessage(rule.messageExpression, variables) } : checked
}

function compileMessage(
  source: string,
  variables: Readonly<Record<string, CelType>>,
): Pick<CompiledRule, 'message' | 'messageError'> {
  const compiled = compile(source, variables)
  if (typeof compiled === 'string') return { messageError: `messageExpression compilation failed: ${compiled}` }
  if (compiled.type.kind !== 'string') return { messageError: 'messageExpression must evaluate to a string' }
  return { message: compiled }
}

function compile(source: string, variables: Readonly<Record<string, CelType>>): CelProgram | string {
  try {
    return compileCel(source, { variables })
  } catch (error) {
    if (error instanceof CelCompileError) return error.message
    throw error
  }
}
