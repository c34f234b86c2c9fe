import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const crd = (group: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `corners.${group}`, ...(more.metadata as JsonObject | undefined) },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'corners', kind: 'Corner' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
    ...(more.spec as JsonObject | undefined),
  },
})
const tried = (name: string, body: JsonObject, query = ''): Step => ({
  name,
  method: 'POST',
  path: `${CRDS}?dryRun=All${query}`,
  body,
})
const pattern = (text: string): Step =>
  tried(`a pattern ${text}`, crd('{ns}.example.com', { properties: { a: { type: 'string', pattern: text } } }))
const schema = (name: string, properties: JsonObject, query = ''): Step =>
  tried(name, crd('{ns}.example.com', { properties }), query)
const path = `${CRDS}/corners.{ns}.x-k8s.io`
const approved = (name: string, annotations: JsonObject): JsonObject =>
  crd(`${name}.k8s.io`, {}, { metadata: { annotations } })
const conditionsOf = (body: JsonValue): number => {
  const { status } = body as { readonly status?: { readonly conditions?: readonly JsonObject[] | null } }
  return (status?.conditions ?? []).filter((condition) => condition.status === 'True').length
}

export const steps: readonly Step[] = [
  pattern('((?i)a|b)(?:c)'),
  pattern('^((?i)january|february)(?:$|x)'),
  pattern('a{1,1001}'),
  pattern('a{1,1000}'),
  pattern('(?=a)'),
  pattern('(?P<n>a)\\z'),
  pattern('[[:foo:]]'),
  pattern('\\pN'),
  pattern('a**'),
  pattern('\\'),
  schema('a description of items that is a number', {
    a: { type: 'array', items: { type: 'object', description: 1 } },
  }),
  schema('a description deep within', {
    a: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'object', properties: { b: { type: 1 } } } },
    },
  }),
  schema('a rule within items that is a list', {
    a: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: [] }] } },
  }),
  schema('documentation within values that is no text', {
    a: { type: 'object', additionalProperties: { type: 'string', externalDocs: { url: {} } } },
  }),
  schema('documentation that is no text', { a: { type: 'string', externalDocs: { url: {} } } }),
  schema('a length beyond int64', { a: { type: 'string', maxLength: 1e300 } }),
  schema('a rule that is a number', { a: { type: 'string', 'x-kubernetes-validations': [1] } }),
  schema('rules that are a text', { a: { type: 'string', 'x-kubernetes-validations': 'a' } }),
  schema(
    'an unknown key deep within',
    { a: { type: 'array', items: { type: 'string', noSuchField: 1 } } },
    '&fieldValidation=Strict',
  ),
  schema('an unknown key', { a: { type: 'string', noSuchField: 1 } }, '&fieldValidation=Strict'),
  tried(
    'a webhook without a port',
    crd(
      '{ns}.example.com',
      {},
      {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { name: 'a', namespace: 'b' } } },
          },
        },
      },
    ),
  ),
  { name: 'of the project, approved', method: 'POST', path: CRDS, body: crd('{ns}.x-k8s.io', {}) },
  { name: 'of the project, as a group of its own', method: 'GET', path, until: (body) => conditionsOf(body) >= 2 },
  { name: 'no more of the project', method: 'DELETE', path },
  {
    name: 'approved by a request',
    method: 'POST',
    path: CRDS,
    body: approved('{ns}', { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1' }),
  },
  {
    name: 'its conditions',
    method: 'GET',
    path: `${CRDS}/corners.{ns}.k8s.io`,
    until: (body) => conditionsOf(body) >= 3,
    // Controllers of the real server add them, whichever comes first.
    unordered: true,
  },
  { name: 'no longer approved', method: 'DELETE', path: `${CRDS}/corners.{ns}.k8s.io`, unordered: true },
]
