import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { FieldSet } from '../../../../src/core/schema/field-set.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { applyPatch, trackUpdate } from '../../../../src/sandbox/apiserver/apply/server-side-apply.ts'
import { internFields } from '../../../../src/sandbox/apiserver/write/intern-fields.ts'
import { long } from '../../../support/long-tests.ts'

const TEXT: Schema = { type: 'string' }
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        a: TEXT,
        b: TEXT,
        items: {
          type: 'array',
          items: { type: 'object', required: ['name'], properties: { name: TEXT, value: TEXT } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
    },
    status: { type: 'object', properties: { phase: TEXT } },
  },
}
const STATUS = FieldSet.ofFields([['status']])

/** One write: who sets which fields, in which way. */
interface Write {
  readonly manager: 'kubectl' | 'operator'
  readonly operation: 'apply' | 'update'
  readonly resetFields: FieldSet | undefined
  readonly version: 'v1' | 'v2'
  readonly fields: JsonObject
}

const text = fc.constantFrom('x', 'y')
const write: fc.Arbitrary<Write> = fc.record({
  manager: fc.constantFrom('kubectl', 'operator'),
  operation: fc.constantFrom('apply', 'update', 'update'),
  resetFields: fc.constantFrom(STATUS, undefined),
  version: fc.constantFrom('v1', 'v1', 'v1', 'v2'),
  fields: fc.record(
    {
      spec: fc.record(
        {
          a: text,
          b: text,
          items: fc.constantFrom([], [{ name: 'p', value: 'x' }], [{ name: 'p', value: 'y' }, { name: 'q' }]),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
      status: fc.record({ phase: text }, { requiredKeys: [], noNullPrototype: true }),
    },
    { requiredKeys: ['spec'], noNullPrototype: true },
  ),
})

interface Step {
  /** Of the object that is written. */
  readonly name: string
  readonly write: Write
}

/** Few different writes, so that many do to one object what was just done to another. */
const steps: fc.Arbitrary<readonly Step[]> = fc.array(write, { minLength: 1, maxLength: 4 }).chain((writes) =>
  fc.array(fc.record({ name: fc.constantFrom('one', 'two', 'three'), write: fc.constantFrom(...writes) }), {
    minLength: 2,
    maxLength: 16,
  }),
)

/** The objects after each step; `schemaOf` is asked at each. */
function run(steps: readonly Step[], schemaOf: () => Schema): readonly KubeObject[] {
  const live = new Map<string, KubeObject>()
  return steps.map(({ name, write }, index) => {
    const object = written(write, { name, live: live.get(name), schema: schemaOf(), index })
    live.set(name, object)
    return object
  })
}

function written(
  { manager, operation, resetFields, version, fields }: Write,
  { name, live, schema, index }: { name: string; live: KubeObject | undefined; schema: Schema; index: number },
): KubeObject {
  const apiVersion = `example.com/${version}`
  const body: KubeObject = { apiVersion, kind: 'Thing', metadata: { name }, ...fields }
  const now = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString()
  const versions = { knows: () => true, convert, schema: () => schema, ignoresAlike: () => true }
  const present = live && convert(live, apiVersion)
  const input = { live: present, manager, subresource: '', schema, apiVersion, now, resetFields, versions }
  if (operation === 'update') return internFields(trackUpdate({ ...input, updated: body }))
  const { object } = applyPatch({ ...input, applied: body, force: true })
  return internFields(object ?? expect.fail('force leaves no conflicts'))
}

/** What is `a` in one version is `b` in the other. */
function convert(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object
  const { a, b, ...rest } = (object.spec ?? {}) as JsonObject
  const spec = { ...rest, ...(a !== undefined && { b: a }), ...(b !== undefined && { a: b }) }
  return { ...object, apiVersion, spec }
}

const BOTH = { spec: { a: 'x', b: 'x' } }
const APPLY: Write = { manager: 'kubectl', operation: 'apply', resetFields: undefined, version: 'v1', fields: BOTH }
const CHANGE: Write = { ...APPLY, manager: 'operator', operation: 'update', fields: { spec: { a: 'y', b: 'x' } } }

/** Who applied the same fields in two versions loses another field in each. */
const TWO_VERSIONS: readonly Step[] = [
  { name: 'one', write: APPLY },
  { name: 'two', write: { ...APPLY, version: 'v2' } },
  { name: 'one', write: CHANGE },
  { name: 'two', write: CHANGE },
]

describe('Who owns what after a write', () => {
  long.it('does not depend on what was remembered of the writes before', () =>
    fc.assert(
      fc.property(steps, (writes) => {
        const schema = structuredClone(SCHEMA)
        const remembered = run(writes, () => schema)
        // Of another schema, nothing is remembered.
        const alone = run(writes, () => structuredClone(SCHEMA))
        expect(remembered).to.deep.equal(alone)
      }),
      { numRuns: 500, examples: [[TWO_VERSIONS]] },
    ),
  )
})
