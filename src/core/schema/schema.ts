import type { JsonValue } from '../base/json.ts'

export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

/**
 * A structural schema: the subset of OpenAPI v3 that Kubernetes uses, with its extensions.
 *
 * There is never a `$ref`: schemas of built-in kinds are resolved when a property is first read, so a schema that
 * contains itself (JSONSchemaProps) is an endless graph. Walk it along a value, never to its end.
 * Schemas are immutable; what is derived from one is cached under its identity.
 */
export interface Schema {
  readonly type?: SchemaType | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly format?: string | undefined
  readonly default?: JsonValue | undefined
  readonly nullable?: boolean | undefined
  readonly enum?: readonly JsonValue[] | undefined

  readonly properties?: { readonly [name: string]: Schema } | undefined
  readonly additionalProperties?: Schema | boolean | undefined
  readonly required?: readonly string[] | undefined
  readonly minProperties?: number | undefined
  readonly maxProperties?: number | undefined

  readonly items?: Schema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined

  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly pattern?: string | undefined

  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: boolean | undefined
  readonly exclusiveMaximum?: boolean | undefined
  readonly multipleOf?: number | undefined

  readonly allOf?: readonly Schema[] | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly oneOf?: readonly Schema[] | undefined
  readonly not?: Schema | undefined

  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map' | undefined
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | undefined
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular' | undefined
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | undefined
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined
  readonly 'x-kubernetes-patch-strategy'?: string | undefined
  readonly 'x-kubernetes-patch-merge-key'?: string | undefined
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[] | undefined
  readonly 'x-kubernetes-group-version-kind'?: readonly GvkReference[] | undefined

  /**
   * Only on schemas of built-in kinds: the name of the OpenAPI definition (`io.k8s.api.apps.v1.DeploymentSpec`).
   * Such a schema describes a Go struct or type of the real server, with its rules for zero values.
   */
  readonly definition?: string | undefined
  /** Only with `definition`: optional properties that are not pointers in Go, so that their zero value counts as absent. */
  readonly valueFields?: ReadonlySet<string> | undefined
  /** Only with `definition`: properties that are always there, with the JSON of their zero value. */
  readonly zeroFields?: { readonly [name: string]: JsonValue } | undefined
  /** Only with `definition`: by properties that stand in an embedded struct, its name, or its path: `RuleWithOperations.Rule`. */
  readonly embeddedFields?: { readonly [name: string]: string } | undefined
  /** Only within a `definition`: the name of the Go type where the rest of the schema does not show it: `v1.Protocol`. */
  readonly goType?: string | undefined
}

/** A CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string | undefined
  readonly messageExpression?: string | undefined
  readonly reason?: string | undefined
  readonly fieldPath?: string | undefined
  readonly optionalOldSelf?: boolean | undefined
}

export interface GvkReference {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The schema of values behind `additionalProperties`, if it is one. */
export function additionalSchemaOf(schema: Schema): Schema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** The schema of one property of an object, declared or additional. */
export function propertySchema(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  return additionalSchemaOf(schema)
}

/** Whether the schema comes from a built-in kind of the server. */
export function isBuiltin(schema: Schema): boolean {
  return schema.definition !== undefined
}
