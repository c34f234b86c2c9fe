import type { JsonObject, JsonPath, JsonValue } from '../../../core/base/json.ts'
import { objectAt } from './own-objects.ts'
import type { ReferenceRule } from './reference-rules.ts'

/** By kind: where the selector of Pods stands. */
const SELECTORS: Readonly<Record<string, JsonPath>> = {
  Service: ['spec', 'selector'],
  PodDisruptionBudget: ['spec', 'selector', 'matchLabels'],
  NetworkPolicy: ['spec', 'podSelector', 'matchLabels'],
}

/** A selector that has the keys of the role's own Pods, and other values, selects none of them. */
export const selectedPods: ReferenceRule = (object, own) => {
  const path = SELECTORS[object.kind]
  const selector = path === undefined ? {} : objectAt(object as JsonObject, path)
  const alike = own.alike(selector, object)
  if (path === undefined || Object.keys(selector).length === 0 || alike.length === 0) return []
  if (own.selected(selector, object).length > 0) return []
  const [key, value] = firstOther(
    selector,
    alike.map(({ labels }) => labels),
  )
  const values = [...new Set(alike.map(({ labels }) => labels[key]))].map((one) => JSON.stringify(one)).join(' or ')
  const message = `the selector selects no Pod of the role: \`${key}\` is ${JSON.stringify(value)} here, and ${values} there`
  return [{ path: [...path, key], message, hint: `give both the same labels`, severity: 'warning' }]
}

/** The first label that no template has as the selector wants it; else the first of all. */
function firstOther(selector: JsonObject, labels: readonly JsonObject[]): readonly [string, JsonValue | undefined] {
  const entries = Object.entries(selector)
  const found = entries.find(([key, value]) => labels.every((one) => one[key] !== value)) ?? entries[0]
  return found as readonly [string, JsonValue | undefined]
}
