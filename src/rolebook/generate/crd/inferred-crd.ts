import { isJsonObject, type JsonObject, type JsonPath } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import { pluralOf } from '../../../core/kube/plural-name.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import { CONDITIONS_SCHEMA } from '../../../core/schema/conditions-schema.ts'
import type { Project, WatchedRole } from '../../../engine/operator/project.ts'
import type { RoleFiles } from '../../config/project-files.ts'
import { KnownField } from './known-fields.ts'
import { handedOn, tasksIn } from './role-texts.ts'

/**
 * A CRD for a kind that has none, from what the role reads of its spec and writes into its status. The type of a field is that
 * of the field that the role copies it to, else that of its value in the samples. Without both, the field may hold anything.
 */
export function inferredCrd(
  { watch, role }: WatchedRole,
  { samples }: Pick<Project, 'samples'>,
  { files, builtin }: { readonly files: RoleFiles; readonly builtin: BuiltinSchemas },
): JsonObject {
  const { group, version, kind } = watch.gvk
  const tasks = tasksIn(files)
  const spec = new KnownField()
  for (const [first, ...rest] of role.reads.map(namesIn)) if (first === 'spec') spec.read(rest)
  for (const { path, schema } of handedOn(tasks, builtin)) fieldAt(spec, path.slice(1)).handOn(schema)
  for (const sample of samples.flatMap(({ objects }) => objects)) {
    if (sample.kind === kind && sample.apiVersion === apiVersionOf({ group, version }) && isJsonObject(sample.spec)) {
      spec.show(sample.spec)
    }
  }
  const singular = kind.toLowerCase()
  const plural = pluralOf(singular)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: 'Namespaced',
      versions: [versionOf(version, { spec: specOf(spec), status: statusOf(tasks) })],
    },
  }
}

/** An index says nothing that the path beyond it does not. */
function namesIn(path: JsonPath): readonly string[] {
  return path.filter((step) => typeof step === 'string')
}

function fieldAt(field: KnownField, path: readonly string[]): KnownField {
  return path.reduce((here, name) => here.below(name), field)
}

/** Where nothing is known of it, a spec is an object all the same. */
function specOf(spec: KnownField): JsonObject {
  return { type: 'object', ...spec.toSchema() }
}

function versionOf(name: string, properties: JsonObject): JsonObject {
  return {
    name,
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: COLUMNS,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object' },
          ...properties,
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

/** Fields that `status` tasks name, and those of the engine. */
function statusOf(tasks: readonly JsonObject[]): JsonObject {
  const fields = new KnownField()
  const texts = tasks.flatMap(({ status }) => (status === undefined ? [] : [status]))
  for (const status of texts.filter(isJsonObject)) {
    for (const [name, value] of Object.entries(status)) {
      const field = fields.below(name)
      // A text is an expression, or holds one.
      if (value !== undefined && typeof value !== 'string' && typeof value !== 'object') field.show(value)
    }
  }
  const isWhole = texts.some((status) => typeof status === 'string')
  const known = fields.toSchema()
  return {
    type: 'object',
    ...(isWhole && { 'x-kubernetes-preserve-unknown-fields': true }),
    properties: {
      observedGeneration: { type: 'integer', format: 'int64' },
      ...(isJsonObject(known.properties) && known.properties),
      conditions: CONDITIONS_SCHEMA,
    },
  }
}
