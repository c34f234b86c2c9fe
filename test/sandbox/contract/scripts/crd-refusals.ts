import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = '{ns}.example.com'
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const version = (more: JsonObject = {}): JsonObject => ({ name: 'v1', served: true, storage: true, schema, ...more })
const names = { plural: 'bads', kind: 'Bad' }

function refused(name: string, spec: JsonObject, metadata: JsonObject = {}): Step {
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `bads.${GROUP}`, ...metadata },
    spec: { group: GROUP, scope: 'Namespaced', names, versions: [version()], ...spec },
  }
  return { name, method: 'POST', path: `${CRDS}?dryRun=All`, body }
}

const withSchema = (openAPIV3Schema: JsonObject): JsonObject => ({
  versions: [version({ schema: { openAPIV3Schema } })],
})
const property = (one: JsonObject): JsonObject => withSchema({ type: 'object', properties: { a: one } })

export const steps: readonly Step[] = [
  refused('nothing wrong', {}),
  refused('another name', {}, { name: 'other.example.com' }),
  refused('a group without dots', { group: 'abc' }, { name: 'bads.abc' }),
  refused('a bad group', { group: 'A_b.c' }, { name: 'bads.A_b.c' }),
  refused('a protected group', { group: 'x.k8s.io' }, { name: 'bads.x.k8s.io' }),
  refused('an unknown scope', { scope: 'World' }),
  refused('no scope', { scope: '' }),
  refused('a bad plural', { names: { ...names, plural: 'Bads' } }, { name: `Bads.${GROUP}` }),
  refused('a bad kind', { names: { ...names, kind: 'a b' } }),
  refused('a kind that is its list kind', { names: { ...names, listKind: 'Bad' } }),
  refused('bad short names', { names: { ...names, shortNames: ['ok', 'No'], categories: ['All'] } }),
  refused('no versions', { versions: [] }),
  refused('a bad version', { versions: [version({ name: '1' })] }),
  refused('no schema', { versions: [version({ schema: {} })] }),
  refused('fields to select by without schema', {
    versions: [version({ schema: undefined, selectableFields: [{ jsonPath: '.spec.a' }] })],
  }),
  refused('no field to select by, and an empty schema', {
    versions: [version({ schema: {}, selectableFields: [{ jsonPath: '' }] })],
  }),
  refused('fields to select by, and an empty schema of one version', {
    versions: [
      version({}),
      version({ name: 'v2', storage: false, schema: {}, selectableFields: [{ jsonPath: '.a' }] }),
    ],
  }),
  refused('a warning without deprecation', { versions: [version({ deprecationWarning: 'x' })] }),
  refused('an empty warning', { versions: [version({ deprecated: true, deprecationWarning: '' })] }),
  refused('bad scale paths', {
    versions: [
      version({
        subresources: {
          scale: { specReplicasPath: '.status.a', statusReplicasPath: 'x', labelSelectorPath: '.metadata.a' },
        },
      }),
    ],
  }),
  refused('two versions that are stored, with parts that say nothing', {
    versions: [
      version({ subresources: { scale: {} }, additionalPrinterColumns: [{}], selectableFields: [{}] }),
      version({ name: 'v2', schema: {}, subresources: { status: {} } }),
    ],
  }),
  refused('bad columns', {
    versions: [
      version({
        additionalPrinterColumns: [
          { name: 'a', type: 'text', jsonPath: 'x', format: 'y' },
          { name: '', type: '', jsonPath: '' },
        ],
      }),
    ],
  }),
  refused('a schema without type', withSchema({ properties: {} })),
  refused('a property without type', property({ description: 'x' })),
  refused('a list without items', property({ type: 'array' })),
  refused(
    'a list map without keys',
    property({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }),
  ),
  refused('a set of objects', property({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } })),
  refused(
    'properties and additional ones',
    property({ type: 'object', properties: {}, additionalProperties: { type: 'string' } }),
  ),
  refused('additional properties that are forbidden', property({ type: 'object', additionalProperties: false })),
  refused('unique items', property({ type: 'array', uniqueItems: true, items: { type: 'string' } })),
  refused('a default that does not fit', property({ type: 'integer', default: 'x' })),
  refused('a root that is no object', withSchema({ type: 'string' })),
  refused('a nullable root', withSchema({ type: 'object', nullable: true })),
  refused('a reference', property({ $ref: '#/definitions/x' })),
]
