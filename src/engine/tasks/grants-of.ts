import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { GroupKind } from '../../core/kube/group-version-kind.ts'
import type { Grants, PolicyRule } from '../role/task-kind.ts'
import { isLiteralText } from './target-object.ts'

/**
 * What an object of RBAC grants. `undefined` for every other object.
 *
 * @param manifest what the role says of it; empty where it does not say, as for the objects of a chart
 */
export function grantsOf({ group, kind }: GroupKind, manifest: JsonObject = {}): Grants | undefined {
  if (group !== 'rbac.authorization.k8s.io') return undefined
  return (kind.endsWith('Binding') ? boundRole(manifest) : literalRules(manifest)) ?? 'computed'
}

function boundRole({ roleRef }: JsonObject): Grants | undefined {
  if (!isJsonObject(roleRef)) return undefined
  const { kind, name } = roleRef
  return isLiteralText(name) && (kind === 'ClusterRole' || kind === 'Role') ? { role: { kind, name } } : undefined
}

/** A patch may say nothing of the rules, and an aggregated ClusterRole has those of others. */
function literalRules({ rules, aggregationRule }: JsonObject): Grants | undefined {
  const isLiteral = isJsonArray(rules) && aggregationRule === undefined && !JSON.stringify(rules).includes('${')
  return isLiteral && rules.every(isRule) ? { rules } : undefined
}

/** Rules about URLs are nothing that a Right could say. */
function isRule(rule: JsonValue): rule is PolicyRule & JsonObject {
  if (!isJsonObject(rule)) return false
  return [rule.apiGroups, rule.resources, rule.verbs].every(isJsonArray) && rule.nonResourceURLs === undefined
}
