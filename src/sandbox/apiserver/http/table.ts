import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { KindRules, TableColumn } from '../kinds/kind-rules.ts'
import type { ServedResource } from '../served-resource.ts'
import { partialObject } from './partial-object.ts'

/** What the `object` of each row carries; `includeObject` of the query. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  /** `meta.k8s.io/v1` or `…/v1beta1`. */
  readonly apiVersion: string
  readonly includeObject: IncludeObject
  /** Milliseconds since 1970, for ages. */
  readonly now: number
  /** Later events of a watch leave the columns out. Defaults to true. */
  readonly withColumns?: boolean
}

/** A `meta.k8s.io` Table: what `kubectl get` prints. */
export function toTable(
  resource: ServedResource,
  objects: readonly KubeObject[],
  metadata: JsonObject,
  options: TableOptions,
): JsonObject {
  const { columns = [], compareRows } = resource.rules
  const ordered = compareRows ? objects.toSorted(compareRows) : objects
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata,
    columnDefinitions: options.withColumns === false ? null : columns.map(columnDefinition),
    rows: objects.length === 0 ? noRows(columns) : ordered.map((object) => toRow(resource.rules, object, options)),
  }
}

/** Kinds without a printer of their own, which show when they were made, have no list of rows when it is empty. */
function noRows(columns: readonly TableColumn[]): JsonValue {
  return columns[1]?.name === 'Created At' ? null : []
}

function columnDefinition({ name, type, format = '', description, priority = 0 }: TableColumn): JsonObject {
  return { name, type, format, description, priority }
}

function toRow({ columns = [], rowConditions }: KindRules, object: KubeObject, options: TableOptions): JsonObject {
  const cells = columns.map((column): JsonValue => column.cell(object, options.now) ?? null)
  const conditions = rowConditions?.(object) ?? []
  return { cells, ...(conditions.length > 0 && { conditions }), object: includedObject(object, options) }
}

function includedObject(object: KubeObject, { includeObject, apiVersion }: TableOptions): JsonValue {
  if (includeObject === 'None') return null
  if (includeObject === 'Object') return object as JsonObject
  return partialObject(object, apiVersion)
}
