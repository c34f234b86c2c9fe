import type { JsonObject } from '../../base/json.ts'
import type { FieldError } from '../../schema/field-error.ts'
import type { CrdVersion, CustomResourceDefinition } from './custom-resource-definition.ts'

/** Complaints about a CRD beyond what its own schema says. */
export function validateCrd(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  return [...validateName(crd), ...validateVersions(crd), ...(old ? validateUpdate(crd, old) : [])]
}

function validateName({ metadata, spec }: CustomResourceDefinition): readonly FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`
  if (metadata.name === wanted) return []
  return [
    {
      type: 'Invalid',
      field: 'metadata.name',
      value: metadata.name ?? '',
      detail: `must be spec.names.plural+"."+spec.group`,
    },
  ]
}

function validateVersions({ spec, status }: CustomResourceDefinition): readonly FieldError[] {
  const errors: FieldError[] = []
  const stored = spec.versions.filter(({ storage }) => storage)
  if (stored.length !== 1) {
    const detail = 'must have exactly one version marked as storage version'
    errors.push({ type: 'Invalid', field: 'spec.versions', value: spec.versions as unknown as JsonObject, detail })
  }
  if (new Set(spec.versions.map(({ name }) => name)).size !== spec.versions.length) {
    const detail = 'must contain unique version names'
    errors.push({ type: 'Invalid', field: 'spec.versions', value: spec.versions as unknown as JsonObject, detail })
  }
  const known = new Set(spec.versions.map(({ name }) => name))
  for (const [index, version] of (status?.storedVersions ?? []).entries()) {
    if (known.has(version)) continue
    const detail = 'must appear in spec.versions'
    errors.push({ type: 'Invalid', field: `status.storedVersions[${index}]`, value: version, detail })
  }
  return [...errors, ...spec.versions.flatMap(validateVersion)]
}

function validateVersion(version: CrdVersion, index: number): readonly FieldError[] {
  if (version.schema?.openAPIV3Schema !== undefined) return []
  return [{ type: 'Required', field: `spec.versions[${index}].schema.openAPIV3Schema`, detail: 'schemas are required' }]
}

function validateUpdate({ spec }: CustomResourceDefinition, old: CustomResourceDefinition): readonly FieldError[] {
  const pairs = [
    ['spec.group', spec.group, old.spec.group],
    ['spec.names.plural', spec.names.plural, old.spec.names.plural],
    ['spec.scope', spec.scope, old.spec.scope],
    ['spec.names.kind', spec.names.kind, old.spec.names.kind],
  ] as const
  return pairs
    .filter(([, value, before]) => value !== before)
    .map(([field, value]) => ({ type: 'Invalid', field, value, detail: 'field is immutable' }))
}
