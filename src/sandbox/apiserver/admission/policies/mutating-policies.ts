import { explain } from '../../../../core/base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { apiVersionOf } from '../../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { mergeTypeOf } from '../../../../core/schema/merge-type.ts'
import { statusError } from '../../api-status.ts'
import { checkType } from '../../apply/check-type.ts'
import { mergeValues } from '../../apply/merge-values.ts'
import { fromCel } from '../../cel/json.ts'
import { applyJsonPatch } from '../../patch/json-patch.ts'
import { PatchError } from '../../patch/patch-error.ts'
import { presentObject, toStorage } from '../../served-resource.ts'
import { completeMerged } from '../../write/decode-object.ts'
import type { AdmissionAttributes } from '../attributes.ts'
import { isSame, type Reinvocation } from '../reinvocation.ts'
import { findAtomics } from './atomic-fields.ts'
import { type CompiledMutation, compiledPolicy } from './compiled-policies.ts'
import { findMisnamed } from './misnamed-objects.ts'
import { BudgetError, EvaluationError, type PolicyEvaluation } from './policy-expression.ts'
import {
  CONDITIONS_COST,
  conditionsHold,
  failsClosed,
  type Invocation,
  invocationsOf,
  nameOf,
  newEvaluation,
  type PolicyFault,
  specOf,
} from './policy-match.ts'

const KIND = 'MutatingAdmissionPolicy'

/**
 * The object as every MutatingAdmissionPolicy leaves it.
 *
 * @throws ApiError as the first of them that fails says
 */
export function applyMutatingPolicies(
  attributes: AdmissionAttributes,
  { isSecond, reinvocation }: { readonly isSecond: boolean; readonly reinvocation: Reinvocation },
): KubeObject | undefined {
  const { invocations, faults } = invocationsOf(attributes, KIND)
  const failures: PolicyFault[] = [...faults]
  let { object } = attributes
  reinvocation.begin(isSecond, object)
  for (const invocation of invocations) {
    const key = keyOfInvocation(invocation)
    if (!object || !reinvocation.isDue(key)) continue
    const changed = invoke(invocation, { ...attributes, object }, failures)
    if (changed && specOf(invocation.policy).reinvocationPolicy === 'IfNeeded') reinvocation.asked(key)
    object = changed ?? object
  }
  // Other than webhooks, a policy may be asked again for what it has changed itself.
  if (!isSame(object, attributes.object)) reinvocation.changed()
  reinvocation.end(object)
  const counted = failures.filter(({ policy }) => failsClosed(policy))
  if (counted.length > 0) throw refusal(counted, attributes)
  return object
}

function keyOfInvocation({ policy, binding, params }: Invocation): string {
  const { namespace = '', name = '' } = params?.metadata ?? {}
  return [nameOf(policy), nameOf(binding), namespace, name].join('/')
}

/** `undefined` when the conditions of the policy do not hold. */
function invoke(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  failures: PolicyFault[],
): KubeObject | undefined {
  const { policy, binding } = invocation
  const { variables, conditions, mutations } = compiledPolicy(policy)
  let object = attributes.object as KubeObject
  const guarded = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof EvaluationError) && !(error instanceof BudgetError)) throw error
      failures.push({ policy, binding, message: error.message })
      return undefined
    }
  }
  const current = (): Invocation => ({ ...invocation, matched: matchedWith(invocation, attributes, object) })
  if (
    !guarded(() =>
      conditionsHold(conditions, newEvaluation(current(), attributes, { variables, budget: CONDITIONS_COST })),
    )
  )
    return undefined
  for (const mutation of mutations) {
    const evaluation = newEvaluation(current(), attributes, { variables })
    object = guarded(() => mutated(current(), mutation, evaluation, attributes)) ?? object
  }
  return object
}

/** What earlier mutations have made of the object, in the version of the policy. */
function matchedWith(
  { matched }: Invocation,
  { resource }: AdmissionAttributes,
  object: KubeObject,
): AdmissionAttributes {
  const isSame = matched.resource === resource || matched.subresource !== ''
  return { ...matched, object: isSame ? object : presentObject(matched.resource, toStorage(resource, object)) }
}

function mutated(
  { matched }: Invocation,
  { type, expression }: CompiledMutation,
  evaluation: PolicyEvaluation,
  { request, resource }: AdmissionAttributes,
): KubeObject {
  if (expression.error !== undefined) throw new EvaluationError(expression.error)
  const made = evaluation.evaluate(expression)
  const misnamed = findMisnamed(made, 'Object')
  if (type === 'ApplyConfiguration' && misnamed !== undefined) throw new EvaluationError(`type mismatch: ${misnamed}`)
  const value = fromCel(made)
  const live = matched.object as KubeObject
  const changed = type === 'JSONPatch' ? patched(live, value) : applied(matched, live, value)
  if (jsonEquals(changed as JsonValue, live as JsonValue)) return live
  const complete = completeMerged({ ...request, resource: matched.resource }, changed)
  return matched.resource === resource ? complete : presentObject(resource, toStorage(matched.resource, complete))
}

function patched(live: KubeObject, patch: JsonValue): KubeObject {
  try {
    return applyJsonPatch(live as JsonObject, patch) as KubeObject
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    const why = explain(error.cause ?? error)
    if (/^(testing value|error in test)/.test(why)) return live
    throw new EvaluationError(`JSON Patch: ${why}`)
  }
}

function applied({ kind, resource }: AdmissionAttributes, live: KubeObject, value: JsonValue): KubeObject {
  const patch = { ...(isJsonObject(value) ? value : {}), apiVersion: apiVersionOf(kind), kind: kind.kind }
  const type = mergeTypeOf(resource.schema)
  const problem = checkType(patch, type, { allowDuplicates: false })
  if (problem !== undefined) {
    throw new EvaluationError(`error applying patch: failed to convert patch object to typed object: ${problem}`)
  }
  const atomics = findAtomics(patch, type)
  if (atomics.length > 0) {
    const text = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`
    throw new EvaluationError(`error applying patch: invalid ApplyConfiguration: ${text}`)
  }
  return mergeValues(live as JsonObject, patch, type) as KubeObject
}

function refusal(failures: readonly PolicyFault[], { resource, name, object }: AdmissionAttributes): Error {
  const texts = failures.map(({ policy, binding, message }) =>
    binding
      ? `policy '${nameOf(policy)}' with binding '${nameOf(binding)}' denied request: ${message}`
      : `policy ${JSON.stringify(nameOf(policy))} denied request: ${message}`,
  )
  const details = {
    name: name || object?.metadata.generateName || 'Unknown',
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
    causes: texts.map((message) => ({ message })),
  }
  const isEvaluation = failures[0]?.message.startsWith('failed to configure') !== true
  return statusError(403, isEvaluation ? 'Invalid' : 'Forbidden', texts[0] as string, {
    details,
  })
}
