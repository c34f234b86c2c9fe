import type { JsonObject, JsonPath, JsonValue } from '../../../core/base/json.ts'
import { isSlip } from './is-slip.ts'
import { objectAt, type PodTemplate } from './own-objects.ts'
import type { DanglingReference, ReferenceRule } from './reference-rule.ts'

/** By kind: where the selector of Pods stands. */
const SELECTORS: Readonly<Record<string, JsonPath>> = {
  Service: ['spec', 'selector'],
  PodDisruptionBudget: ['spec', 'selector', 'matchLabels'],
  NetworkPolicy: ['spec', 'podSelector', 'matchLabels'],
}

/** A selector that selects none of the role's own Pods, and would but for a slip. It may mean Pods of others: nothing else is reported. */
export const selectedPods: ReferenceRule = (object, own) => {
  const path = SELECTORS[object.kind]
  const selector = path === undefined ? {} : objectAt(object as JsonObject, path)
  if (path === undefined || Object.keys(selector).length === 0 || own.selected(selector, object).length > 0) return []
  const slips = own.near(object).flatMap((template) => slipIn(selector, template, path))
  return slips.slice(0, 1)
}

/** The only label of a selector that a template does not have, when it has one that is almost the same. */
function slipIn(selector: JsonObject, { labels }: PodTemplate, path: JsonPath): readonly DanglingReference[] {
  const others = Object.entries(selector).filter(([key, value]) => labels[key] !== value)
  const [[key, value] = ['', '']] = others
  const meant = others.length === 1 ? Object.entries(labels).find((label) => isMeant([key, value], label)) : undefined
  if (meant === undefined) return []
  const message = `no Pod of the role has the label \`${key}: ${value}\`: the selector selects none`
  return [{ path: [...path, key], message, hint: `did you mean \`${meant[0]}: ${meant[1]}\`?`, severity: 'warning' }]
}

type Label = readonly [string, JsonValue | undefined]

function isMeant([key, value]: Label, [otherKey, otherValue]: Label): boolean {
  const isValueMeant = key === otherKey && isSlip(String(value), String(otherValue))
  return isValueMeant || (value === otherValue && isSlip(key, otherKey))
}
