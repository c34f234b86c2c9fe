import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { gvkOf } from '../../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { printFieldError } from '../../../../core/schema/field-error.ts'
import { validateAnnotations, validateLabels } from '../../kinds/common/label-selectors.ts'
import { jsonKindOf } from '../../patch/patch-error.ts'

/** What a webhook has made of an object, with the metadata that it may not change as they were; or what is wrong with it. */
export type Checked = { readonly object: KubeObject } | { readonly problem: string }

/** Problems whose message names the webhook begin with `returned`. */
export function checkConverted(original: KubeObject, converted: JsonValue, apiVersion: string): Checked {
  if (!isJsonObject(converted)) return { problem: misfit(converted) }
  if (!converted.kind) return { problem: `Object 'Kind' is missing in '${JSON.stringify(converted)}'` }
  const problem = mismatchOf(original, converted, apiVersion)
  if (problem !== undefined) return { problem: `returned invalid object${problem}` }
  const metadata = restoreMetadata(original, converted.metadata)
  if ('problem' in metadata) return { problem: `returned invalid metadata: ${metadata.problem}` }
  return { object: { ...converted, metadata: metadata.metadata } as KubeObject }
}

function misfit(value: JsonValue): string {
  return `json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`
}

/** Of the metadata, what makes an object the one that it is. */
const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const

function mismatchOf(original: KubeObject, converted: JsonObject, apiVersion: string): string | undefined {
  const received = String(converted.apiVersion ?? '')
  if (received !== apiVersion) {
    return ` at index 0: invalid groupVersion (expected ${apiVersion}, received ${received})`
  }
  if (converted.kind !== original.kind) {
    return ` at index 0: invalid kind (expected ${original.kind}, received ${converted.kind})`
  }
  const metadata = isJsonObject(converted.metadata) ? converted.metadata : {}
  for (const [field, shown] of IDENTITY) {
    const [expected, actual] = [original.metadata[field] ?? '', metadata[field] ?? '']
    if (expected !== actual) return `: must have the same ${shown}: ${expected} != ${actual}`
  }
  return undefined
}

type Metadata = { readonly metadata: KubeObject['metadata'] } | { readonly problem: string }

/** Labels and annotations are what a webhook may change. */
function restoreMetadata({ metadata }: KubeObject, converted: JsonValue | undefined): Metadata {
  const found = isJsonObject(converted) ? converted : {}
  let restored = metadata
  for (const field of ['labels', 'annotations'] as const) {
    const texts = found[field] ?? undefined
    const problem = texts === undefined ? undefined : problemOfTexts(texts, field)
    if (problem !== undefined) return { problem }
    restored = { ...restored, [field]: texts }
  }
  return { metadata: restored }
}

function problemOfTexts(texts: JsonValue, field: 'labels' | 'annotations'): string | undefined {
  if (!isJsonObject(texts)) return `invalid metadata.${field} of type ${goTypeOf(texts)} in converted object`
  const wrong = Object.entries(texts).find(([, value]) => typeof value !== 'string')
  if (wrong) {
    return `metadata.${field}[${wrong[0]}] must be a string, but is ${goTypeOf(wrong[1])} in converted object`
  }
  // The place of annotations is misspelt by the real server.
  const errors =
    field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation')
  const [first] = errors.map(printFieldError)
  return errors.length > 1 ? `[${errors.map(printFieldError).join(', ')}]` : first
}

function goTypeOf(value: JsonValue | undefined): string {
  if (isJsonArray(value)) return '[]interface {}'
  if (isJsonObject(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return value === null || value === undefined ? '<nil>' : typeof value === 'boolean' ? 'bool' : 'string'
}

/** `example.com/v1, Kind=Web` */
export function printGvk(object: KubeObject): string {
  const { group, version, kind } = gvkOf(object)
  return `${group}/${version}, Kind=${kind}`
}
