import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
import { ITEM_NAMES } from '../base/json-changes.ts'
import { REDACTED } from '../base/redactor.ts'
import type { Bindings, Expression } from '../expression/compile-expression.ts'
import type { Template } from '../expression/compile-template.ts'
import { ExpressionError } from '../expression/expression-error.ts'
import { type Flow, FROM_ROLE, fieldOf, type Origin, worstOf } from '../expression/flow/flow.ts'
import { Scope } from './scope.ts'
import type { ValueFlow } from './value-flow.ts'

export interface FollowedTemplate extends Template {
  /** What may flow into what it renders. */
  readonly flow: Flow
}

/** A template that tells the run what came of it: what is made of Secrets, and what is not. */
export function witnessedTemplate(template: Template, reading: ValueFlow): FollowedTemplate {
  return Object.freeze({
    ...template,
    flow: reading.flow,
    render(bindings: Bindings) {
      const value = withSafeErrors(reading, () => template.render(bindings))
      if (bindings instanceof Scope) bindings.secrecy.witness(value, reading)
      return value
    },
  })
}

/** Whether a value of a Secret may stand at a path of what a template renders, as far as its texts tell. */
export function mayHoldSecret(template: Template, path: JsonPath): boolean {
  return originAt(template, path) === 'secret'
}

/** Whether the role says what a template renders at a path without reading anything: it stays, whatever a Secret happens to hold. */
export function isSaidByRole(template: Template, path: JsonPath): boolean {
  return originAt(template, path) === 'role'
}

/** What a template has rendered, with another text wherever a value of a Secret may stand, as far as its texts tell. */
export function withoutFollowed(value: JsonValue, template: Template, instead: string): JsonValue {
  return withoutSecretFlow(value, flowOf(template), instead)
}

/** A path in a value that a template has rendered, with another text for each name on it that may be made of a Secret. */
export function withoutFollowedNames(
  path: JsonPath,
  template: Template,
  { value, instead }: { readonly value: JsonValue; readonly instead: string },
): JsonPath {
  let flow = flowOf(template)
  return path.map((step, index) => {
    if (typeof step === 'number') return isOpenItem(getPath(value, path.slice(0, index + 1)), flow) ? step : instead
    const shown = isOpenName(step, flow) ? step : instead
    flow = fieldOf(flow, step)
    return shown
  })
}

function withoutSecretFlow(value: JsonValue, flow: Flow, instead: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutSecretFlow(item, flow, instead))
  if (!isJsonObject(value)) return worstOf(flow).origin === 'secret' ? instead : value
  const entries = Object.entries(value).map(([key, inner]) => {
    const shown = inner === undefined ? undefined : withoutSecretFlow(inner, fieldOf(flow, key), instead)
    return [isOpenName(key, flow) ? key : instead, shown] as const
  })
  return Object.fromEntries(entries)
}

/** Whether anybody may see the name of a field: those that the texts of the template give. */
function isOpenName(name: string, { names, fields }: Flow): boolean {
  return names?.origin !== 'secret' || fields?.has(name) === true
}

/** Whether anybody may see what an item of a list is told apart by: its place, or one of its fields. */
function isOpenItem(item: JsonValue | undefined, flow: Flow): boolean {
  if (item !== undefined && !isJsonObject(item)) return true
  return ITEM_NAMES.every((name) => worstOf(fieldOf(flow, name)).origin !== 'secret')
}

function originAt(template: Template, path: JsonPath): Origin {
  let flow = flowOf(template)
  // A list flows as its items do.
  for (const step of path) if (typeof step === 'string') flow = fieldOf(flow, step)
  return worstOf(flow).origin
}

function flowOf(template: Template): Flow {
  return (template as Partial<FollowedTemplate>).flow ?? FROM_ROLE
}

/** An expression whose value nobody sees, and whose errors tell nothing. */
export function witnessedExpression(expression: Expression, reading: ValueFlow): Expression {
  if (reading.errors.length === 0) return expression
  const evaluate: Expression['evaluate'] = (bindings) => withSafeErrors(reading, () => expression.evaluate(bindings))
  return Object.freeze({ ...expression, evaluate })
}

/** `$error(…)` and a false `$assert(…)`, whose messages are the role's own. */
const OWN_ERRORS: readonly string[] = ['D3137', 'D3141']

function withSafeErrors<T>({ errors }: ValueFlow, evaluate: () => T): T {
  if (errors.length === 0) return evaluate()
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof ExpressionError && OWN_ERRORS.includes(error.code))) throw error
    throw new ExpressionError(error.phase, error.code, `${error.code}: ${REDACTED}`, { position: error.position })
  }
}
