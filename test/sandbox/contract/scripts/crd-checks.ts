import type { JsonObject } from '../../../../src/core/base/json.ts'
import { triedKind } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const schema = {
  properties: {
    spec: {
      type: 'object',
      properties: {
        s: { type: 'string' },
        n: { type: 'integer' },
        b: { type: 'boolean' },
        f: { type: 'number' },
        o: { type: 'object', properties: { in: { type: 'string' } } },
        l: { type: 'array', items: { type: 'string' } },
        m: { type: 'object', additionalProperties: { type: 'string' } },
        x: { 'x-kubernetes-int-or-string': true },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        'a.b': { type: 'string' },
      },
    },
  },
}

function withVersion(name: string, version: JsonObject): Step {
  return { ...triedKind(name, { singular: 'check', schema, version }), unordered: true }
}

function withSpec(name: string, spec: JsonObject): Step {
  return { ...triedKind(name, { singular: 'check', schema, spec }), unordered: true }
}

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', ...schema } },
  ...more,
})

const SELECTABLE = [
  ['.spec.s'],
  ['.spec.n'],
  ['.spec.b'],
  ['.spec.f'],
  ['.spec.o'],
  ['.spec.o.in'],
  ['.spec.l'],
  ['.spec.l[0]'],
  ['.spec.m.key'],
  ['.spec.x'],
  ['.spec.any'],
  ['.spec.nope'],
  ['spec.s'],
  [''],
  ['.metadata.name'],
  ['.metadata.labels'],
  ['.spec.s', '.spec.s'],
  [".spec['a.b']"],
  ['.spec.s '],
  ['.kind'],
  Array.from({ length: 9 }, (_, index) => `.spec.s${index}`),
]

const COLUMN_PATHS = [
  '.spec.l[*]',
  '.spec.l[0:2]',
  '.spec.l[?(@.a=="b")]',
  '{.spec.s}',
  '.spec.s}',
  '.spec["a.b"]',
  '.spec.l[',
  '..name',
  '.',
  '.spec.l[-1:]',
  '.spec[s,n]',
]

const webhook = { clientConfig: { url: 'https://a.example.com/x' }, conversionReviewVersions: ['v1'] }

export const steps: readonly Step[] = [
  ...SELECTABLE.map((paths) =>
    withVersion(`selectable ${JSON.stringify(paths)}`, { selectableFields: paths.map((jsonPath) => ({ jsonPath })) }),
  ),
  ...COLUMN_PATHS.map((jsonPath) =>
    withVersion(`a column of ${jsonPath}`, { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath }] }),
  ),
  withSpec('conversion by nothing', { conversion: { strategy: 'None' } }),
  withSpec('conversion without strategy', { conversion: {} }),
  withSpec('conversion by another strategy', { conversion: { strategy: 'Magic' } }),
  withSpec('conversion by nothing with a webhook', { conversion: { strategy: 'None', webhook } }),
  withSpec('conversion by a webhook that is missing', { conversion: { strategy: 'Webhook' } }),
  withSpec('conversion by a webhook without a client', {
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
  }),
  withSpec('conversion by a webhook with two places', {
    conversion: {
      strategy: 'Webhook',
      webhook: { ...webhook, clientConfig: { url: 'https://a', service: { namespace: 'a', name: 'b' } } },
    },
  }),
  withSpec('conversion by a webhook over http', {
    conversion: { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { url: 'http://a' } } },
  }),
  withSpec('conversion by a webhook without review versions', {
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a' } } },
  }),
  withSpec('conversion by a webhook with unknown review versions', {
    conversion: { strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: ['v9', 'v9', 'No'] } },
  }),
  withSpec('conversion by a webhook', { conversion: { strategy: 'Webhook', webhook } }),
  withSpec('fields that are kept everywhere', { preserveUnknownFields: true }),
  withSpec('fields that are kept nowhere', { preserveUnknownFields: false }),
  withSpec('two versions with the same name', { versions: [version('v1'), version('v1', { storage: false })] }),
  withSpec('two stored versions', { versions: [version('v1'), version('v2', { storage: true })] }),
  withSpec('no stored version', { versions: [version('v2')] }),
  withSpec('a version that is not served', { versions: [version('v1', { served: false })] }),
  withSpec('columns of one of two versions', {
    versions: [
      version('v1', { additionalPrinterColumns: [{ name: '', type: 'x', jsonPath: 'y' }] }),
      version('v2', { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '' } } }),
    ],
  }),
  withSpec('a deprecated version', { versions: [version('v1', { deprecated: true, deprecationWarning: 'old' })] }),
  withSpec('a long warning', { versions: [version('v1', { deprecated: true, deprecationWarning: 'x'.repeat(257) })] }),
  withSpec('names that are upper case', {
    names: { plural: 'checks', singular: 'Check', kind: 'check', listKind: 'checkList', shortNames: ['A'] },
  }),
  withSpec('categories and short names that occur twice', {
    names: { plural: 'checks', singular: 'check', kind: 'Check', shortNames: ['c', 'c'], categories: ['all', 'all'] },
  }),
  withVersion('a column with an unknown type', {
    additionalPrinterColumns: [{ name: 'A', type: 'object', jsonPath: '.a', format: 'none', priority: -1 }],
  }),
  withVersion('columns with the same name', {
    additionalPrinterColumns: ['.spec.s', '.spec.n'].map((jsonPath) => ({ name: 'A', type: 'string', jsonPath })),
  }),
  withVersion('a status that is something', { subresources: { status: { a: 1 } } }),
  withVersion('a scale without paths', { subresources: { scale: {} } }),
  withVersion('a scale with odd paths', {
    subresources: {
      scale: { specReplicasPath: '.spec.l[0]', statusReplicasPath: '.status.a.b', labelSelectorPath: '.spec..s' },
    },
  }),
]
