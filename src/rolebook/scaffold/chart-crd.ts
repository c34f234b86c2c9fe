import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { CONDITIONS_SCHEMA } from '../../core/schema/conditions-schema.ts'

export interface ChartCrdOptions {
  readonly gvk: Gvk
  readonly plural: string
  /** The chart's own values. */
  readonly values: JsonObject
  /** Its `values.schema.json`. */
  readonly schema?: JsonValue | undefined
  /** What is said of the values in `values.yaml`, by their paths; it counts where the schema says nothing. */
  readonly comments: ReadonlyMap<string, string>
}

/** The CRD of a kind whose spec is the values of a Helm chart: their schema, and where it says nothing, what the values are. */
export function chartCrd({
  gvk: { group, version, kind },
  plural,
  values,
  schema,
  comments,
}: ChartCrdOptions): JsonObject {
  const described = withComments(structural(schema, values), comments, [])
  const spec = { description: "Values on top of the chart's own.", ...described, ...OPEN }
  const properties = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec,
    status: STATUS,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: COLUMNS,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  }
}

const OPEN = { 'x-kubernetes-preserve-unknown-fields': true } as const
/** What means the same in the schema of a CRD. */
const SAME = [
  'description',
  'enum',
  'format',
  'maximum',
  'minimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'multipleOf',
] as const

/**
 * Fields without a description stay: Helm takes them, and judges them by the schema as a whole. What is required may come from the
 * values of the chart, but not within a list: Helm takes a list as it is.
 */
function structural(schema: JsonValue | undefined, value: JsonValue | undefined, isInList = false): JsonObject {
  const given = isJsonObject(schema) ? schema : {}
  const type = typeof given.type === 'string' ? given.type : typeOf(value)
  if (type === undefined || type === 'null' || given.$ref !== undefined) return OPEN
  const same = Object.fromEntries(SAME.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])))
  if (type === 'array') return { type, ...same, items: structural(given.items, undefined, true) }
  if (type !== 'object') return { type, ...same }
  const { required } = given
  const needed = isInList && isJsonArray(required) && required.length > 0 ? { required } : {}
  return { type, ...same, ...needed, ...fieldsOf(given, isJsonObject(value) ? value : {}, isInList) }
}

function fieldsOf(schema: JsonObject, values: JsonObject, isInList: boolean): JsonObject {
  const described = isJsonObject(schema.properties) ? schema.properties : {}
  const names = [...new Set([...Object.keys(described), ...Object.keys(values)])]
  const { additionalProperties: others } = schema
  if (names.length === 0)
    return isJsonObject(others) ? { additionalProperties: structural(others, undefined, isInList) } : OPEN
  const properties = Object.fromEntries(
    names.map((name) => [name, structural(described[name], values[name], isInList)]),
  )
  return { properties, ...(others === false ? {} : OPEN) }
}

/** A description for each field that has none. */
function withComments(schema: JsonObject, comments: ReadonlyMap<string, string>, path: readonly string[]): JsonObject {
  const said = schema.description === undefined ? comments.get(path.join('.')) : undefined
  const whole = said === undefined ? schema : { description: said, ...schema }
  if (!isJsonObject(schema.properties)) return whole
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    return [name, isJsonObject(field) ? withComments(field, comments, [...path, name]) : field] as const
  })
  return { ...whole, properties: Object.fromEntries(properties) }
}

function typeOf(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  if (isJsonArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const COLUMNS = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Chart', type: 'string', jsonPath: '.status.deployedRelease.chartVersion' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

const TEXT = { type: 'string' } as const

const STATUS: JsonObject = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64' },
    deployedRelease: {
      description: 'What is installed.',
      type: 'object',
      properties: { name: TEXT, chartVersion: TEXT, appVersion: TEXT },
    },
    conditions: CONDITIONS_SCHEMA,
  },
}
