import { isJsonArray } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { formatGroupResource, statusError } from '../../api-status.ts'
import type { AdmissionAttributes } from '../attributes.ts'
import { type CompiledValidation, compiledPolicy } from './compiled-policies.ts'
import { BudgetError, EvaluationError, type PolicyEvaluation } from './policy-expression.ts'
import {
  CONDITIONS_COST,
  conditionsHold,
  failsClosed,
  type Invocation,
  invocationsOf,
  nameOf,
  newEvaluation,
  specOf,
} from './policy-match.ts'

const KIND = 'ValidatingAdmissionPolicy'

interface Denial {
  readonly policy: KubeObject
  readonly binding: KubeObject | undefined
  readonly message: string
  readonly reason: string
}

/**
 * Asks every ValidatingAdmissionPolicy.
 *
 * @throws ApiError as the first of them that denies says
 */
export function askValidatingPolicies(attributes: AdmissionAttributes): void {
  const { invocations, faults } = invocationsOf(attributes, KIND)
  const denials: Denial[] = faults
    .filter(({ policy }) => failsClosed(policy))
    .map((fault) => ({ ...fault, reason: '' }))
  for (const invocation of invocations) {
    for (const denial of decide(invocation, attributes)) act(denial, invocation, { attributes, denials })
  }
  const [first] = denials
  if (first) throw refusal(first, attributes)
}

/** A binding says what a denial comes to. */
function act(
  denial: Denial,
  { policy, binding }: Invocation,
  { attributes, denials }: { readonly attributes: AdmissionAttributes; readonly denials: Denial[] },
): void {
  const { validationActions } = specOf(binding)
  for (const action of isJsonArray(validationActions) ? validationActions : []) {
    if (action === 'Deny') denials.push(denial)
    if (action !== 'Warn') continue
    const names = `${KIND} '${nameOf(policy)}' with binding '${nameOf(binding)}'`
    attributes.request.warn(`Validation failed for ${names}: ${denial.message}`)
  }
}

function decide(invocation: Invocation, attributes: AdmissionAttributes): readonly Denial[] {
  const { policy, binding } = invocation
  const { variables, conditions, validations } = compiledPolicy(policy)
  const fault = (message: string): readonly Denial[] =>
    failsClosed(policy) ? [{ policy, binding, message, reason: '' }] : []
  try {
    const evaluation = newEvaluation(invocation, attributes, { variables, budget: CONDITIONS_COST })
    if (!conditionsHold(conditions, evaluation)) return []
    const rules = newEvaluation(invocation, attributes, { variables })
    const outcomes = validations.map(({ expression }) => outcomeOf(() => rules.evaluate(expression)))
    const messages = messagesOf(validations, newEvaluation(invocation, attributes, { variables, budget: rules.left }))
    return validations.flatMap((validation, index) => {
      const outcome = outcomes[index]
      if (outcome instanceof EvaluationError) return fault(outcome.message)
      if (messages instanceof BudgetError) return fault(`failed messageExpression: ${messages.message}`)
      if (outcome === true) return []
      return [{ policy, binding, message: messages[index] || messageOf(validation), reason: validation.reason }]
    })
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof BudgetError)) throw error
    return fault(error.message)
  }
}

/** @throws BudgetError */
function outcomeOf<T>(evaluate: () => T): T | EvaluationError {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof EvaluationError) return error
    throw error
  }
}

const MAX_MESSAGE = 5 * 1024

/** What every expression for a message says, empty where nothing can be made of it; they count whether needed or not. */
function messagesOf(
  validations: readonly CompiledValidation[],
  evaluation: PolicyEvaluation,
): readonly string[] | BudgetError {
  try {
    return validations.map(({ messageExpression }) => {
      const made = messageExpression && outcomeOf(() => evaluation.evaluate(messageExpression))
      const text = typeof made === 'string' ? made.trim() : ''
      return text.length > MAX_MESSAGE || text.includes('\n') ? '' : text
    })
  } catch (error) {
    if (error instanceof BudgetError) return error
    throw error
  }
}

function messageOf({ message, expression }: CompiledValidation): string {
  return message.trim() || `failed expression: ${expression.source.trim()}`
}

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
}

function refusal({ policy, binding, message, reason }: Denial, attributes: AdmissionAttributes): Error {
  const by = `${KIND} '${nameOf(policy)}'${binding ? ` with binding '${nameOf(binding)}'` : ''}`
  const text = `${by} denied request: ${message}`
  const { resource, name } = attributes
  const known = reason || 'Invalid'
  return statusError(
    CODES[known] ?? 422,
    known,
    `${formatGroupResource(resource)} ${JSON.stringify(name)} is forbidden: ${text}`,
    {
      details: {
        name,
        ...(resource.group !== '' && { group: resource.group }),
        kind: resource.plural,
        causes: [{ message: text }],
      },
    },
  )
}
