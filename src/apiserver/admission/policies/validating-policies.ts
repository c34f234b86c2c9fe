import { isJsonArray } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { formatGroupResource, statusError } from '../../api-status.ts'
import type { AdmissionAttributes } from '../attributes.ts'
import { type CompiledValidation, compiledPolicy } from './compiled-policies.ts'
import { BudgetError, EvaluationError, type PolicyEvaluation } from './policy-expression.ts'
import {
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
  const evaluation = newEvaluation(invocation, attributes, variables)
  const fault = (error: unknown): readonly Denial[] => {
    if (!(error instanceof EvaluationError) && !(error instanceof BudgetError)) throw error
    return failsClosed(policy) ? [{ policy, binding, message: error.message, reason: '' }] : []
  }
  try {
    if (!conditionsHold(conditions, newEvaluation(invocation, attributes, variables))) return []
  } catch (error) {
    return fault(error)
  }
  return validations.flatMap((validation) => {
    try {
      if (evaluation.evaluate(validation.expression) === true) return []
      const message = messageOf(validation, evaluation)
      return [{ policy, binding, message, reason: validation.reason }]
    } catch (error) {
      return fault(error)
    }
  })
}

const MAX_MESSAGE = 5 * 1024

function messageOf(
  { messageExpression, message, expression }: CompiledValidation,
  evaluation: PolicyEvaluation,
): string {
  const made = messageExpression && textOf(() => evaluation.evaluate(messageExpression))
  if (made && made.length <= MAX_MESSAGE && !made.includes('\n')) return made
  return message.trim() || `failed expression: ${expression.source.trim()}`
}

function textOf(evaluate: () => unknown): string {
  try {
    const value = evaluate()
    return typeof value === 'string' ? value.trim() : ''
  } catch (error) {
    if (error instanceof EvaluationError) return ''
    throw error
  }
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
