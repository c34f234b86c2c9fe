import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { goJson } from '../../../core/schema/go-json.ts'
import type { MergeType } from '../../../core/schema/merge-type.ts'
import { checkType } from './check-type.ts'
import { compareValues } from './compare-values.ts'

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration'
const MAX_ANNOTATIONS_BYTES = 256 * 1024

/**
 * The fields that `kubectl apply` set on the client side and that are unchanged since: `kubectl apply --server-side` may take
 * them over. `undefined` when that is unknown.
 */
export function allowedByLastApplied(live: KubeObject, type: MergeType): FieldSet | undefined {
  const last = parseLastApplied(live)
  if (last?.apiVersion !== live.apiVersion || last.kind !== live.kind) return undefined
  if (checkType(live, type, STRICT) !== undefined || checkType(last, type, STRICT) !== undefined) return undefined
  const { removed, modified, added } = compareValues(last, live, type)
  return FieldSet.fromTyped(last, type).difference(modified).difference(added).difference(removed)
}

const STRICT = { allowDuplicates: false }

function lastAppliedOf(object: KubeObject): string {
  return object.metadata?.annotations?.[ANNOTATION] ?? ''
}

function parseLastApplied(object: KubeObject): JsonObject | undefined {
  try {
    const parsed: JsonValue = JSON.parse(lastAppliedOf(object))
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** After an apply by `kubectl`, the annotation of the client side (where there is one) says the same. */
export function withLastApplied(object: KubeObject, applied: KubeObject, manager: string): KubeObject {
  if (manager !== 'kubectl' || lastAppliedOf(object) === '') return object
  const text = `${goJson(withoutAnnotation(applied))}\n`
  const { [ANNOTATION]: _old, ...others } = { ...object.metadata.annotations }
  const annotations = { ...others, [ANNOTATION]: text }
  const fits = bytesOf(annotations) <= MAX_ANNOTATIONS_BYTES
  return { ...object, metadata: { ...object.metadata, annotations: fits ? annotations : others } }
}

/** The annotation would contain itself otherwise. An empty map of annotations goes with it. */
function withoutAnnotation(applied: KubeObject): JsonObject {
  const { [ANNOTATION]: _old, ...annotations } = applied.metadata.annotations ?? {}
  const { annotations: _annotations, ...metadata } = applied.metadata
  const rest = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations }
  return { ...applied, metadata: rest } as JsonObject
}

function bytesOf(annotations: { readonly [key: string]: string }): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
}
