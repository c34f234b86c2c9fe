import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import type { TableColumn } from '../kinds/kind-rules.ts'
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
  const columns = [NAME_COLUMN, ...(resource.rules.columns ?? DEFAULT_COLUMNS)]
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata,
    columnDefinitions: options.withColumns === false ? null : columns.map(columnDefinition),
    rows: objects.map((object) => toRow(columns, object, options)),
  }
}

const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  cell: ({ metadata }) => metadata.name ?? '',
}

const DEFAULT_COLUMNS: readonly TableColumn[] = [
  {
    name: 'Created At',
    type: 'date',
    description:
      'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
    cell: ({ metadata }) => metadata.creationTimestamp ?? '<unknown>',
  },
]

function columnDefinition({ name, type, format = '', description, priority = 0 }: TableColumn): JsonObject {
  return { name, type, format, description, priority }
}

function toRow(columns: readonly TableColumn[], object: KubeObject, options: TableOptions): JsonObject {
  const cells = columns.map((column): JsonValue => column.cell(object, options.now) ?? null)
  const shown = includedObject(object, options)
  return isJsonObject(shown) ? { cells, object: shown } : { cells }
}

function includedObject(object: KubeObject, { includeObject, apiVersion }: TableOptions): JsonValue {
  if (includeObject === 'None') return null
  if (includeObject === 'Object') return object as JsonObject
  return partialObject(object, apiVersion)
}
