import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { configure } from '../webhook-steps.ts'

/** What a configuration must not say, beside what it says of a webhook that is fine. */
const refused = (name: string, more: JsonObject, kind = 'validating'): Step => {
  const step = configure(kind, { name, webhooks: [['allow', more]] })
  return { ...step, path: `${step.path}?dryRun=All` }
}

const url = (name: string, text: string): Step => refused(name, { clientConfig: { url: text } })
const service = (name: string, more: JsonObject): Step =>
  refused(name, { clientConfig: { service: { name: 'a', namespace: 'b', ...more } } })
const review = (name: string, ...versions: readonly string[]): Step =>
  refused(name, { admissionReviewVersions: versions })
const conditions = (name: string, ...list: readonly JsonObject[]): Step => refused(name, { matchConditions: list })

const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }
const rule = (name: string, more: JsonObject): Step => refused(name, { rules: [{ ...RULE, ...more }] })
const resources = (name: string, ...list: readonly string[]): Step => rule(name, { resources: list })

const holds = { name: 'x', expression: 'true' }
const many = Array.from({ length: 65 }, (_, index) => ({ ...holds, name: `x${index}` }))

/** In the order in which they are checked. */
const EVERYTHING: JsonObject = {
  name: 'x',
  rules: [{ scope: 'Some' }],
  failurePolicy: 'Perhaps',
  matchPolicy: 'Perhaps',
  sideEffects: 'Some',
  timeoutSeconds: 0,
  namespaceSelector: { matchLabels: { '-': '' } },
  objectSelector: { matchLabels: { '-': '' } },
  clientConfig: {},
  matchConditions: [{ name: '', expression: '' }],
  admissionReviewVersions: [],
}

const twice = (kind: string): Step => {
  const step = configure(kind, {
    name: `${kind}-webhooks-named-twice`,
    webhooks: [
      ['allow', { name: 'a.example.com' }],
      ['allow', { name: 'a.example.com' }],
    ],
  })
  return { ...step, path: `${step.path}?dryRun=All` }
}

const accepted = configure('validating', { name: 'accepted', webhooks: [['allow']] })
const changed = (what: string, webhook: JsonObject): Step => ({
  name: `accepted: ${what}`,
  method: 'PATCH',
  path: `${accepted.path}/accepted-{ns}?dryRun=All`,
  headers: { 'content-type': 'application/strategic-merge-patch+json' },
  body: { webhooks: [{ name: 'w0.accepted.example.com', ...webhook }] },
})

export const steps: readonly Step[] = [
  refused('has-side-effects', { sideEffects: 'Some' }),
  refused('known-side-effects', { sideEffects: 'Unknown' }),
  refused('no-side-effects-told', { sideEffects: null as unknown as JsonValue }),
  review('no-review-version'),
  review('unknown-review-version', 'v7'),
  review('review-version-twice', 'v1', 'v1'),
  review('odd-review-version', 'v1', 'V 2', '1'),
  refused('no-time', { timeoutSeconds: 0 }),
  refused('too-much-time', { timeoutSeconds: 31 }),
  url('a-query', 'https://127.0.0.1:1/x?y=z'),
  url('a-fragment', 'https://127.0.0.1:1/x#y'),
  url('a-user', 'https://me:secret@127.0.0.1:1/x'),
  url('a-user-alone', 'https://me@127.0.0.1:1/x'),
  url('plain-http', 'http://127.0.0.1:1/x'),
  url('no-scheme', '127.0.0.1/x'),
  url('no-host', 'https:///x'),
  url('no-host-nor-scheme', '/x'),
  url('an-empty-url', ''),
  url('everything-wrong', 'ftp://me@/x?y#z'),
  url('no-url', 'https://[::1/x'),
  url('a-space-in-the-host', 'https://a b/x'),
  url('an-odd-port', 'https://a:b/x'),
  url('an-odd-escape', 'https://a/%zz'),
  url('a-control-character', 'https://a/\u0001'),
  url('a-deletion-character', 'https://a/\u007f'),
  url('a-colon-first', ':x'),
  url('a-colon-in-the-path', '1a:b/c'),
  url('a-wrong-user', 'https://a<b@c/x'),
  url('an-odd-escape-of-a-user', 'https://a%@c/x'),
  url('an-escape-in-the-host', 'https://a%41/x'),
  url('an-odd-escape-in-the-fragment', 'https://a/x#%a'),
  url('no-slashes', 'https:x'),
  url('three-slashes', '///x'),
  url('letters-of-any-size', 'HTTPS://a/x'),
  url('a-question-mark-alone', 'https://[::1]:1/x?'),
  refused('service-and-url', {
    clientConfig: { url: 'https://127.0.0.1:1/x', service: { name: 'a', namespace: 'b' } },
  }),
  refused('neither', { clientConfig: {} }),
  service('service-without-name', { name: '' }),
  service('service-without-namespace', { namespace: '' }),
  service('service-without-either', { name: '', namespace: '' }),
  service('service-port-too-high', { port: 65_536 }),
  service('service-port-zero', { port: 0 }),
  service('service-path', { path: '/a/b/' }),
  service('service-path-root', { path: '/' }),
  service('service-path-empty', { path: '' }),
  service('service-path-of-slashes', { path: '//' }),
  service('service-path-relative', { path: 'abc/d' }),
  service('service-path-hollow', { path: '/a//b' }),
  service('service-path-odd', { path: '/A/b_c' }),
  conditions('broken-condition', { name: 'x', expression: 'object.' }),
  conditions('condition-of-text', { name: 'x', expression: '"x"' }),
  conditions('condition-without-name', { name: '', expression: 'true' }),
  conditions('condition-without-expression', { name: 'x', expression: ' ' }),
  conditions('condition-oddly-named', { name: 'a b', expression: 'true' }),
  conditions('condition-named-with-prefix', { name: 'a.example.com/b', expression: 'true' }),
  conditions('condition-of-params', { name: 'x', expression: 'params.a' }),
  conditions('condition-of-authorizer', { name: 'x', expression: 'authorizer.path("/").check("get").allowed()' }),
  conditions('named-twice', holds, holds),
  conditions('too-many-conditions', ...many),
  refused('unknown-policy', { failurePolicy: 'Perhaps' }),
  refused('unknown-match-policy', { matchPolicy: 'Perhaps' }),
  refused('reinvoked', { reinvocationPolicy: 'Perhaps' }, 'mutating'),
  refused('unnamed', { name: '' }),
  refused('shortly-named', { name: 'a.b' }),
  refused('oddly-named', { name: 'A_b.c.d' }),
  refused('hollowly-named', { name: 'a..b' }),
  refused('odd-selectors', {
    namespaceSelector: { matchLabels: { '-a': 'b' } },
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
  }),
  rule('no-operations', { operations: [] }),
  rule('any-and-other-operations', { operations: ['*', 'CREATE'] }),
  rule('unknown-operation', { operations: ['READ'] }),
  rule('no-groups', { apiGroups: [] }),
  rule('any-and-other-groups', { apiGroups: ['*', 'apps'] }),
  rule('no-versions', { apiVersions: [] }),
  rule('an-empty-version', { apiVersions: ['v1', ''] }),
  rule('any-and-other-versions', { apiVersions: ['*', 'v1'] }),
  rule('unknown-scope', { scope: 'Some' }),
  resources('no-resources'),
  resources('an-empty-resource', ''),
  resources('any-and-one-resource', '*', 'pods'),
  resources('one-and-any-resource', 'pods', '*'),
  resources('any-and-a-subresource', '*', 'pods/log'),
  resources('any-subresource-too', 'pods/*', 'pods/log'),
  resources('a-subresource-first', 'pods/log', 'pods/*'),
  resources('that-of-any-resource', '*/scale', 'pods/scale'),
  resources('everything-and-more', '*/*', 'pods'),
  refused('wrong-all-over', EVERYTHING),
  refused('wrong-all-over-mutating', { ...EVERYTHING, reinvocationPolicy: 'Perhaps' }, 'mutating'),
  twice('validating'),
  twice('mutating'),
  accepted,
  changed('sideEffects of some kind', { sideEffects: 'Some' }),
  changed('no time', { timeoutSeconds: 0 }),
  changed('a broken condition', { matchConditions: [{ name: 'x', expression: 'object.' }] }),
  { name: 'accepted: delete the configuration', method: 'DELETE', path: `${accepted.path}/accepted-{ns}` },
]
