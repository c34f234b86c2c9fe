import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { pluralOf } from '../../core/kube/plural-name.ts'
import { CONDITIONS_SCHEMA } from '../../core/schema/conditions-schema.ts'

export interface NewCrd {
  readonly gvk: Gvk
  /** The schema of the spec. */
  readonly spec: JsonObject
  /** Fields of the status beside those of the engine. */
  readonly status?: JsonObject | undefined
  /** Defaults to `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster' | undefined
  /** Further names, such as short ones. */
  readonly names?: JsonObject | undefined
  /** Of the CRD itself. */
  readonly metadata?: JsonObject | undefined
  /** Columns of `kubectl get`. Defaults to readiness and age. */
  readonly columns?: readonly JsonObject[] | undefined
}

/** The CRD of a kind with one version. */
export function newCrd({ gvk, spec, status, scope = 'Namespaced', names, metadata, columns = [] }: NewCrd): JsonObject {
  const { group, version, kind } = gvk
  const singular = kind.toLowerCase()
  const plural = pluralOf(singular)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular, ...names },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [...(columns.length > 0 ? columns : COLUMNS)],
          schema: { openAPIV3Schema: schemaOf(spec, status) },
        },
      ],
    },
  }
}

function schemaOf(spec: JsonObject, status: JsonObject | undefined): JsonValue {
  const required = Array.isArray(spec.required) && spec.required.length > 0 ? { required: ['spec'] } : {}
  return {
    type: 'object',
    ...required,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status: {
        type: 'object',
        properties: {
          observedGeneration: { type: 'integer', format: 'int64' },
          ...status,
          conditions: CONDITIONS_SCHEMA,
        },
      },
    },
  }
}

const COLUMNS: readonly JsonObject[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]
