import type { JsonObject } from '../../../src/core/base/json.ts'
import { apiVersionOf } from '../../../src/core/kube/group-version-kind.ts'
import type { BuiltinResource } from '../../../src/core/schema/builtin-schemas.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { builtinSchemas } from '../../core/schema/schemas.ts'
import { ALL_BASES } from './bases/all-bases.ts'
import { type Base, basesOf } from './bases/base.ts'
import type { Subject } from './cases.ts'
import { sampleOf } from './sample-value.ts'

/** Says where a pod goes, and has no object of its own. */
const LEFT_OUT = new Set(['Binding'])

/** Every built-in kind that can be created. */
export function subjects(only?: readonly string[]): readonly Subject[] {
  return builtinSchemas()
    .resources()
    .filter(({ kind, verbs }) => verbs.includes('create') && !LEFT_OUT.has(kind))
    .filter(({ kind }) => only === undefined || only.includes(kind))
    .map(subjectOf)
}

function subjectOf(resource: BuiltinResource): Subject {
  const { group, version, kind } = resource
  const schema = builtinSchemas().get({ group, version, kind }) as Schema
  const bases = ALL_BASES.filter((base) => base.kind === kind && base.apiVersion === apiVersionOf({ group, version }))
  return { resource, schema, bases: bases.length > 0 ? bases : sampleBases(resource, schema) }
}

/** A kind for which no base is written is tried with what its schema requires. */
function sampleBases({ group, version, kind }: BuiltinResource, schema: Schema): readonly Base[] {
  const { metadata: _metadata, ...rest } = sampleOf(schema) as JsonObject
  return basesOf(group, version, kind, { sample: rest })
}

/** Such as `apps.v1.Deployment`: each kind has a file of recordings with this name. */
export function nameOf({ resource: { group, version, kind } }: Subject): string {
  return [group, version, kind].filter((part) => part !== '').join('.')
}
