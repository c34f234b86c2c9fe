import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import type { CelBindings } from '../../cel/compile-cel.ts'
import type { ServedResource } from '../../served-resource.ts'
import { type AdmissionAttributes, describeRequest, namespaceOf } from '../attributes.ts'
import { criteriaOf, match } from '../matching.ts'
import { accessVariables } from './access-variables.ts'
import {
  type CompiledExpression,
  EvaluationError,
  PolicyEvaluation,
  type PolicyVariables,
  TOTAL_COST,
} from './policy-expression.ts'
import { ConfigurationError, collectParams, paramResource } from './policy-params.ts'

const GROUP = 'admissionregistration.k8s.io'

/** A policy that is to be asked: with one binding and one parameter. */
export interface Invocation {
  readonly policy: KubeObject
  readonly binding: KubeObject
  readonly params: KubeObject | undefined
  /** In the version that the policy asks for. */
  readonly matched: AdmissionAttributes
}

export interface PolicyFault {
  readonly policy: KubeObject
  readonly binding: KubeObject | undefined
  readonly message: string
}

export interface Invocations {
  readonly invocations: readonly Invocation[]
  readonly faults: readonly PolicyFault[]
}

/** Every policy of a kind that has something to say about a change. */
export function invocationsOf(attributes: AdmissionAttributes, kind: string): Invocations {
  const { objects } = attributes.state
  const invocations: Invocation[] = []
  const faults: PolicyFault[] = []
  const bindings = objects.list({ group: GROUP, version: 'v1', kind: `${kind}Binding` })
  if (bindings.length === 0) return { invocations, faults }
  for (const policy of objects.list({ group: GROUP, version: 'v1', kind })) {
    const own = bindings.filter((binding) => specOf(binding).policyName === policy.metadata.name)
    const matched = own.length > 0 ? match(attributes, criteriaOf(specOf(policy).matchConstraints)) : undefined
    if (matched) addInvocations({ policy, matched, attributes }, own, { invocations, faults })
  }
  return { invocations, faults }
}

interface MatchedPolicy {
  readonly policy: KubeObject
  readonly matched: AdmissionAttributes
  readonly attributes: AdmissionAttributes
}

function addInvocations(
  { policy, matched, attributes }: MatchedPolicy,
  bindings: readonly KubeObject[],
  found: { readonly invocations: Invocation[]; readonly faults: PolicyFault[] },
): void {
  let resource: ServedResource | undefined
  try {
    resource = paramResource(attributes, specOf(policy).paramKind)
  } catch (error) {
    found.faults.push({ policy, binding: undefined, message: faultText(error, 'policy') })
    return
  }
  for (const binding of bindings) {
    const { matchResources, paramRef } = specOf(binding)
    if (!match(attributes, criteriaOf(matchResources))) continue
    try {
      for (const params of collectParams(attributes, resource, paramRef)) {
        found.invocations.push({ policy, binding, params, matched })
      }
    } catch (error) {
      found.faults.push({ policy, binding, message: faultText(error, 'binding') })
    }
  }
}

function faultText(error: unknown, what: 'policy' | 'binding'): string {
  if (!(error instanceof ConfigurationError)) throw error
  return `failed to configure ${what}: ${error.message}`
}

export function specOf({ spec }: KubeObject): JsonObject {
  return isJsonObject(spec) ? spec : {}
}

export function nameOf(object: KubeObject): string {
  return keyOf(object).name
}

/** A fault counts only where the policy says that nothing may pass unseen. */
export function failsClosed(policy: KubeObject): boolean {
  return specOf(policy).failurePolicy !== 'Ignore'
}

/** The most that the conditions of one policy or webhook may cost. */
export const CONDITIONS_COST = 2_500_000

/** The variables of the expressions of one invocation, and what these may cost together. */
export function newEvaluation(
  { matched, params }: Invocation,
  attributes: AdmissionAttributes,
  { variables, budget = TOTAL_COST }: { readonly variables: PolicyVariables; readonly budget?: number },
): PolicyEvaluation {
  const bindings: CelBindings = {
    object: { json: (matched.object as JsonObject | undefined) ?? null },
    oldObject: { json: (matched.old as JsonObject | undefined) ?? null },
    request: { json: describeRequest(attributes, matched) },
    namespaceObject: { json: (namespaceOf(attributes) as JsonObject | undefined) ?? null },
    params: { json: (params as JsonObject | undefined) ?? null },
  }
  return new PolicyEvaluation({ ...bindings, ...accessVariables(attributes) }, variables, budget)
}

/**
 * Whether all conditions hold. One that is false counts more than others that have no value.
 *
 * @throws EvaluationError
 */
export function conditionsHold(conditions: readonly CompiledExpression[], evaluation: PolicyEvaluation): boolean {
  const errors: string[] = []
  for (const condition of conditions) {
    try {
      if (evaluation.evaluate(condition) === false) return false
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
      errors.push(error.message)
    }
  }
  const [first] = errors
  if (first === undefined) return true
  throw new EvaluationError(errors.length === 1 ? first : `[${errors.join(', ')}]`)
}
