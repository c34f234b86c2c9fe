import type { JsonValue } from '../../../../core/base/json.ts'
import { Correlated } from '../../../../core/schema/correlate.ts'
import { type FieldError, printFieldError } from '../../../../core/schema/field-error.ts'
import { CelCostError, CelRuntimeError } from '../../cel/cel-error.ts'
import type { CelBindings, CelProgram } from '../../cel/compile-cel.ts'
import { toCel } from '../../cel/json.ts'
import { CelOptional } from '../../cel/values.ts'
import type { CompiledRule } from './compile-rules.ts'
import { type Child, childrenOf, type Validator } from './validator.ts'

/** What came of the rules of an object. */
export interface ValidationOutcome {
  readonly errors: readonly FieldError[]
  /** Complaints about parts that were stored like this before. */
  readonly warnings: readonly string[]
}

/**
 * Runs all rules of an object. With `old`, also those that compare with the stored object; what is unchanged since then is
 * warned of, and not refused, unless `forgives` is false.
 */
export function runValidations(
  validator: Validator,
  value: JsonValue,
  old: JsonValue | undefined,
  { forgives = true } = {},
): ValidationOutcome {
  const run = new Run()
  const correlation = old === undefined || !forgives ? undefined : new Correlated(value, old, validator.schema)
  run.visit({ validator, value, old, path: '', key: '' }, { current: correlation, nearest: undefined })
  return run
}

/** What all rules of one object may cost together. */
const TOTAL_COST = 10_000_000

/** Where unchanged parts are looked for: at the place itself, or else at the closest one above that has a past. */
interface Correlation {
  readonly current: Correlated | undefined
  readonly nearest: Correlated | undefined
}

class Run {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  #budget = TOTAL_COST

  /** False when there is nothing left to spend. */
  visit(child: Child, correlation: Correlation): boolean {
    const { validator, value, old, path } = child
    if (value === null) return true
    if (!this.#runRules(child, correlation)) return false
    return childrenOf(validator, value, old, path).every((inner) => this.visit(inner, below(correlation, inner, path)))
  }

  #runRules({ validator, value, old, path }: Child, correlation: Correlation): boolean {
    const place: Place = { validator, value, old: old === null ? undefined : old, path, correlation }
    return validator.rules.every((rule) => this.#runRule(rule, place))
  }

  #runRule(compiled: CompiledRule, place: Place): boolean {
    const { rule, program, usesOldSelf } = compiled
    const { path, old } = place
    if (compiled.error !== undefined) this.errors.push(aboutType(place, `rule compile error: ${compiled.error}`))
    if (!program || (usesOldSelf && old === undefined && !rule.optionalOldSelf)) return true
    try {
      const passed = this.#evaluate(program, bindingsOf(place, rule.optionalOldSelf === true))
      if (passed !== true) this.#report(compiled, place)
      return true
    } catch (error) {
      if (!(error instanceof CelRuntimeError) && !(error instanceof CelCostError)) throw error
      const isOver = error instanceof CelCostError || error instanceof BudgetError
      this.errors.push(aboutType({ ...place, path }, failureText(error, ruleText(compiled))))
      return !isOver
    }
  }

  #evaluate(program: CelProgram, bindings: CelBindings): unknown {
    const { value, cost } = program.evaluate(bindings)
    if (cost > this.#budget) throw new BudgetError()
    this.#budget -= cost
    return value
  }

  #report(compiled: CompiledRule, place: Place): void {
    const { rule, fieldPath, usesOldSelf } = compiled
    const { value, correlation, path, validator } = place
    const detail = this.#message(compiled, place) ?? rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`
    const isLarge = validator.type.kind === 'object' || validator.type.kind === 'map' || validator.type.kind === 'list'
    const field = [path, fieldPath].filter((part) => part !== '').join('.')
    const error: FieldError = {
      type: REASONS[rule.reason ?? ''] ?? 'Invalid',
      field,
      value,
      detail: rule.reason === 'FieldValueDuplicate' ? '' : detail,
      ...(isLarge && { shown: 'nothing' as const }),
    }
    const unchanged = (correlation.current ?? correlation.nearest)?.isUnchanged() === true
    if (!usesOldSelf && unchanged) this.warnings.push(printFieldError(error))
    else this.errors.push(error)
  }

  /** What the message expression says, if it can be used. */
  #message({ message, rule }: CompiledRule, place: Place): string | undefined {
    if (!message) return undefined
    try {
      // No other message expression compiles.
      const text = this.#evaluate(message, bindingsOf(place, rule.optionalOldSelf === true)) as string
      const trimmed = text.trim()
      return trimmed === '' || trimmed.includes('\n') || Buffer.byteLength(trimmed) > MAX_MESSAGE ? undefined : trimmed
    } catch (error) {
      if (error instanceof CelRuntimeError && !(error instanceof BudgetError)) return undefined
      if (error instanceof CelCostError) throw new MessageCostError(rule.messageExpression)
      throw error
    }
  }
}

const MAX_MESSAGE = 5 * 1024

const REASONS: Readonly<Record<string, FieldError['type']>> = {
  FieldValueDuplicate: 'Duplicate',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
}

interface Place {
  readonly validator: Validator
  readonly value: JsonValue
  readonly old: JsonValue | undefined
  readonly path: string
  readonly correlation: Correlation
}

class BudgetError extends CelRuntimeError {}

class MessageCostError extends CelCostError {
  constructor(source: string | undefined) {
    super()
    const what = `messageExpression: ${JSON.stringify(source)}`
    this.message = `no further validation rules will be run due to call cost exceeds limit for ${what}`
  }
}

function below({ current, nearest }: Correlation, { key }: Child, path: string): Correlation {
  if (!current) return { current, nearest }
  if (path === '' && (key === 'apiVersion' || key === 'kind')) return { current: undefined, nearest: undefined }
  return { current: typeof key === 'number' ? current.item(key) : current.field(key), nearest: current }
}

function bindingsOf({ value, old, validator: { type } }: Place, optionalOldSelf: boolean): CelBindings {
  const self = { json: value }
  if (!optionalOldSelf) return { self, ...(old !== undefined && { oldSelf: { json: old } }) }
  return { self, oldSelf: { value: old === undefined ? CelOptional.none : new CelOptional(toCel(old, type)) } }
}

function ruleText({ rule }: CompiledRule): string {
  return (rule.message || rule.rule).trim()
}

function failureText(error: Error, rule: string): string {
  if (error instanceof BudgetError) {
    return 'validation failed due to running out of cost budget, no further validation rules will be run'
  }
  const { message } = error
  if (error instanceof MessageCostError) return message
  if (error instanceof CelCostError) {
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`
  }
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${rule}`
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
}

/** What the rule could not be applied to is named by its type. */
function aboutType({ path, validator }: Place, detail: string): FieldError {
  return { type: 'Invalid', field: path, value: validator.schema.type ?? '', detail }
}
