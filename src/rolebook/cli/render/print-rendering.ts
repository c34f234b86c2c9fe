import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { printableText } from '../../../core/base/printable-text.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import type { RunReport } from '../../../engine/reconcile/trace/run-trace.ts'
import type { Change } from './made-objects.ts'

export const OUTPUTS = ['yaml', 'json'] as const

/** Objects as YAML documents, or as a JSON list as kubectl prints it. */
export function printObjects(objects: readonly KubeObject[], output: string): string {
  if (output === 'yaml') return printYaml(objects as readonly JsonValue[])
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`
}

/** `pass 2: makes Service default/web`, a line for each pass that did something. */
export function printPasses(changes: readonly Change[]): string {
  const passes = [...new Set(changes.map(({ pass }) => pass))]
  return passes.map((pass) => `pass ${pass}: ${actionsOf(changes.filter((change) => change.pass === pass))}\n`).join('')
}

function actionsOf(changes: readonly Change[]): string {
  const parts = (['makes', 'changes', 'removes'] as const).map((action) => {
    const objects = changes.filter((change) => change.action === action).map(({ object }) => object)
    return objects.length === 0 ? undefined : `${action} ${listOf([...new Set(objects)].sort())}`
  })
  return parts.filter((action) => action !== undefined).join('; ')
}

const MOST_NAMED = 20

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** What keeps resources from being ready, a line for each. */
export function printHeldUp(runs: readonly RunReport[]): string {
  return runs
    .flatMap(({ request, ready }) => {
      if (ready === undefined || ready.status === 'True') return []
      const { reason, message } = ready
      return [`${request.kind} ${formatKey(request)}: ${reason}: ${printableText(String(message))}\n`]
    })
    .join('')
}

/** What became of a resource, as much as a person wants to see of it; no times, which would differ from run to run. */
export function statusOf(live: KubeObject): KubeObject | undefined {
  const { apiVersion, kind, status } = live
  if (!isJsonObject(status)) return undefined
  const { namespace, name } = keyOf(live)
  const metadata = namespace === '' ? { name } : { name, namespace }
  return { apiVersion, kind, metadata, status: withoutTimes(status) }
}

function withoutTimes(status: JsonObject): JsonObject {
  const { conditions } = status
  if (!isJsonArray(conditions)) return status
  return { ...status, conditions: conditions.map((one) => (isJsonObject(one) ? timeless(one) : one)) }
}

function timeless({ lastTransitionTime: _changed, lastUpdateTime: _updated, ...condition }: JsonObject): JsonObject {
  return condition
}
