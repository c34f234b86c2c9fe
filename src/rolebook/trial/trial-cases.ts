import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { apiVersionOf, formatGvk, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { isBuiltin, type Schema } from '../../core/schema/schema.ts'
import type { SampleFile } from '../../engine/operator/project.ts'
import { MadeValues, variationsOf } from './made-values.ts'
import { UID } from './plausible-object.ts'
import type { TrialServer } from './trial-server.ts'

/** A resource that a role is tried on. */
export interface TrialCase {
  readonly resource: KubeObject
  /** How messages name it: `the sample roles/web/samples/web.yaml`, `a resource without spec.size`. */
  readonly what: string
  readonly isSample: boolean
  /** Texts in it that were made up: what becomes of them proves nothing. */
  readonly invented: ReadonlySet<string>
}

/** How many made resources a role is tried on at most. */
const MOST_MADE = 120

export interface CaseSources {
  readonly samples: readonly SampleFile[]
  readonly schema: Schema | undefined
  readonly server: TrialServer
}

/** The samples of a kind, and resources that its schema allows: each differs from another one in one place. */
export function trialCases(gvk: Gvk, { samples, schema, server }: CaseSources): readonly TrialCase[] {
  const given = samples.flatMap(({ path, objects }) =>
    objects
      .filter((object) => formatGvk(gvkOf(object)) === formatGvk(gvk))
      .map((object) => ({ resource: object, what: `the sample ${path}`, isSample: true, invented: new Set<string>() })),
  )
  const made = madeCases(gvk, given[0]?.resource, schema)
  const unique = new Map(
    [...given, ...made].map((one) => [JSON.stringify(one.resource.spec ?? null), one] as const).reverse(),
  )
  const cases = [...unique.values()].reverse().slice(0, given.length + MOST_MADE)
  return cases.flatMap((one) => admitted(one, gvk, server))
}

/** As the server takes it, with its defaults. What it refuses is not a resource; a sample is reported elsewhere then. */
function admitted(one: TrialCase, gvk: Gvk, server: TrialServer): readonly TrialCase[] {
  const mapping = server.mappingOf(gvk)
  const { namespace = 'default', ...metadata } = one.resource.metadata
  const isNamespaced = mapping?.namespaced ?? true
  const named = { name: 'made', ...metadata, ...(isNamespaced && { namespace }) }
  const { status: _status, ...given } = one.resource
  const resource = { ...given, metadata: named }
  const { object, refusals } = mapping ? server.judge(resource) : { object: resource, refusals: [] }
  if (object === undefined || refusals.length > 0) return []
  const { managedFields: _managed, ...kept } = object.metadata
  return [{ ...one, resource: { ...object, metadata: { ...kept, uid: UID, generation: 1, resourceVersion: '1' } } }]
}

function madeCases(gvk: Gvk, sample: KubeObject | undefined, schema: Schema | undefined): readonly TrialCase[] {
  const { spec } = schema?.properties ?? {}
  // Kinds that every server has have far too many fields.
  if (!spec || schema === undefined || isBuiltin(schema)) return sample ? [] : [bareCase(gvk)]
  const values = new MadeValues()
  const from = (made: JsonValue | undefined, what: string): TrialCase => ({
    resource: resourceOf(gvk, sample, made),
    what: `a resource ${what}`,
    isSample: false,
    invented: new Set(),
  })
  const [full, least] = [values.full(spec, sample?.spec), values.least(spec, sample?.spec)]
  const bases = [sample?.spec, full, least].filter((one) => one !== undefined)
  const variations = bases.flatMap((base) => variationsOf(base, spec, 'spec'))
  const made = [
    from(full, 'with all fields'),
    from(least, 'with the required fields alone'),
    ...variations.map(({ value, what }) => from(value, what)),
  ]
  return made.map((one) => ({ ...one, invented: textsIn(one.resource, values.invented) }))
}

/** Those of the texts that stand in an object. */
function textsIn(object: KubeObject, texts: ReadonlySet<string>): ReadonlySet<string> {
  const printed = JSON.stringify(object)
  return new Set([...texts].filter((text) => printed.includes(JSON.stringify(text))))
}

function bareCase(gvk: Gvk): TrialCase {
  const resource = resourceOf(gvk, undefined, undefined)
  return { resource, what: 'a resource with a name alone', isSample: false, invented: new Set() }
}

function resourceOf(gvk: Gvk, sample: KubeObject | undefined, spec: JsonValue | undefined): KubeObject {
  const metadata = sample?.metadata ?? { name: 'made' }
  const { spec: _spec, ...rest } = (sample ?? {}) as JsonObject
  return { ...rest, apiVersion: apiVersionOf(gvk), kind: gvk.kind, metadata, ...(spec !== undefined && { spec }) }
}
