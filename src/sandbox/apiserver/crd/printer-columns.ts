import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { ageOf } from '../kinds/common/columns.ts'
import type { TableColumn } from '../kinds/kind-rules.ts'
import type { PrinterColumn } from './custom-resource-definition.ts'
import { compileJsonPath, type JsonPathQuery } from './json-path.ts'

/**
 * The columns of a custom resource: its name, then those of its CRD, or its age when that has none. A column whose path
 * cannot be read ends them, as on the real server.
 */
export function printerColumns(columns: readonly PrinterColumn[]): readonly TableColumn[] {
  if (columns.length === 0) return [NAME, AGE]
  const readable: TableColumn[] = []
  for (const column of columns) {
    const query = readPath(column.jsonPath)
    if (!query) break
    readable.push(toColumn(column, query))
  }
  return [NAME, ...readable]
}

function readPath(path: string): JsonPathQuery | undefined {
  try {
    return compileJsonPath(path)
  } catch {
    return undefined
  }
}

const NAME: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  cell: ({ metadata: { name = '' } }) => name,
}

export const AGE: TableColumn = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
}

function toColumn(column: PrinterColumn, query: JsonPathQuery): TableColumn {
  const { name, type, format = '', priority = 0, jsonPath } = column
  const description = column.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`
  const cell = (object: KubeObject, now: number): JsonValue => cellOf(type, query(object as JsonValue)[0], now)
  return { name, type: type as TableColumn['type'], format, description, priority, cell }
}

/** A value that does not fit the type of its column leaves the cell empty. */
function cellOf(type: string, value: JsonValue | undefined, now: number): JsonValue {
  if (value === undefined) return null
  switch (type) {
    case 'string':
      return printText(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? printDate(value, now) : null
    default:
      return null
  }
}

function printText(value: JsonValue): string {
  if (isJsonArray(value) || isJsonObject(value)) return JSON.stringify(value)
  return value === null ? '<no value>' : String(value)
}

function printDate(text: string, now: number): string {
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : ageOf(text, now)
}
