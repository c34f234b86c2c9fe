import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { BOOL, listOf, STRING } from '../../cel/cel-type.ts'
import { objectsOf } from '../matching.ts'
import { JSON_PATCH_TYPE, OBJECT_TYPE } from './expression-types.ts'
import { type CompiledExpression, compileExpression, PolicyVariables } from './policy-expression.ts'
import { specOf } from './policy-match.ts'

export interface CompiledPolicy {
  readonly variables: PolicyVariables
  readonly conditions: readonly CompiledExpression[]
  readonly validations: readonly CompiledValidation[]
  readonly mutations: readonly CompiledMutation[]
}

export interface CompiledValidation {
  readonly expression: CompiledExpression
  readonly messageExpression: CompiledExpression | undefined
  readonly message: string
  readonly reason: string
}

export interface CompiledMutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch'
  readonly expression: CompiledExpression
}

const compiled = new WeakMap<KubeObject, CompiledPolicy>()

/** The expressions of a policy; compiled once for each of its versions. */
export function compiledPolicy(policy: KubeObject): CompiledPolicy {
  const known = compiled.get(policy)
  if (known) return known
  const fresh = compile(specOf(policy))
  compiled.set(policy, fresh)
  return fresh
}

function compile(spec: JsonObject): CompiledPolicy {
  const scope = { hasParams: isJsonObject(spec.paramKind) }
  const named = objectsOf(spec.variables).map((each) => ({
    name: String(each.name),
    expression: String(each.expression),
  }))
  const variables = new PolicyVariables(named, scope)
  const bool = (each: JsonObject): CompiledExpression =>
    compileExpression(String(each.expression), scope, { variables, returns: [BOOL] })
  return {
    variables,
    conditions: objectsOf(spec.matchConditions).map(bool),
    validations: objectsOf(spec.validations).map((each) => ({
      expression: bool(each),
      messageExpression: each.messageExpression
        ? compileExpression(
            String(each.messageExpression),
            { ...scope, hasAuthorizer: false },
            { variables, returns: [STRING] },
          )
        : undefined,
      message: String(each.message ?? ''),
      reason: String(each.reason ?? 'Invalid'),
    })),
    mutations: objectsOf(spec.mutations).map((each) => compileMutation(each, scope, variables)),
  }
}

function compileMutation(
  mutation: JsonObject,
  { hasParams }: { readonly hasParams: boolean },
  variables: PolicyVariables,
): CompiledMutation {
  const isApply = mutation.patchType === 'ApplyConfiguration'
  const { expression } = (
    isJsonObject(isApply ? mutation.applyConfiguration : mutation.jsonPatch)
      ? isApply
        ? mutation.applyConfiguration
        : mutation.jsonPatch
      : {}
  ) as JsonObject
  const returns = [isApply ? OBJECT_TYPE : listOf(JSON_PATCH_TYPE)]
  return {
    type: isApply ? 'ApplyConfiguration' : 'JSONPatch',
    expression: compileExpression(String(expression), { hasParams, patches: true }, { variables, returns }),
  }
}
