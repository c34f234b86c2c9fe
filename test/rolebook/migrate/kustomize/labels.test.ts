import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { TRANSFORMERS } from '../../../../src/rolebook/migrate/kustomize/transformers.ts'

const known = { schema: () => undefined, isNamespaced: () => undefined }

/** What a key of kustomization.yaml makes of the spec of one object. */
function specWith(key: string, given: JsonValue, kind: string, spec: JsonObject): JsonValue | undefined {
  const one = { origin: `${kind} a`, object: { kind, metadata: { name: 'a' }, spec } }
  const [made] = TRANSFORMERS[key]?.(given, [one], known) ?? []
  return made?.object.spec
}

const OLD = { b: 'c' }
const BOTH = { b: 'c', x: 'z' }
const NEW = { x: 'z' }
const selector = (labels: JsonObject) => ({ labelSelector: { matchLabels: labels } })
const peers = (labels: JsonObject) => [{ podSelector: { matchLabels: labels } }, { namespaceSelector: {} }]
const spread = (labels: JsonObject) => ({
  topologySpreadConstraints: [selector(labels), { topologyKey: 'zone' }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: selector(labels) }],
      requiredDuringSchedulingIgnoredDuringExecution: [selector(labels)],
    },
  },
})

/** As `kubectl kustomize` makes it. */
describe('labels of Kustomize', () => {
  for (const { kind, spec, expected } of [
    {
      kind: 'Deployment',
      spec: { template: { spec: spread(OLD) } },
      expected: {
        selector: { matchLabels: NEW },
        template: { metadata: { labels: NEW }, spec: spread(BOTH) },
      },
    },
    {
      kind: 'StatefulSet',
      spec: { template: {}, volumeClaimTemplates: [{ metadata: { name: 'd' } }] },
      expected: {
        selector: { matchLabels: NEW },
        template: { metadata: { labels: NEW } },
        volumeClaimTemplates: [{ metadata: { name: 'd', labels: NEW } }],
      },
    },
    {
      kind: 'DaemonSet',
      spec: { selector: { matchLabels: OLD }, template: { metadata: { labels: OLD } } },
      expected: { selector: { matchLabels: BOTH }, template: { metadata: { labels: BOTH } } },
    },
    {
      kind: 'ReplicationController',
      spec: { template: {} },
      expected: { selector: NEW, template: { metadata: { labels: NEW } } },
    },
    { kind: 'Job', spec: { template: {} }, expected: { template: { metadata: { labels: NEW } } } },
    {
      kind: 'CronJob',
      spec: { jobTemplate: { spec: { template: {} } } },
      expected: { jobTemplate: { metadata: { labels: NEW }, spec: { template: { metadata: { labels: NEW } } } } },
    },
    { kind: 'Service', spec: { externalName: 'a.b' }, expected: { externalName: 'a.b', selector: NEW } },
    {
      kind: 'PodDisruptionBudget',
      spec: { selector: { matchLabels: OLD } },
      expected: { selector: { matchLabels: BOTH } },
    },
    {
      kind: 'NetworkPolicy',
      spec: { podSelector: {}, ingress: [{ from: peers(OLD) }, {}], egress: [{ to: peers(OLD) }] },
      expected: { podSelector: {}, ingress: [{ from: peers(BOTH) }, {}], egress: [{ to: peers(BOTH) }] },
    },
    { kind: 'Rollout', spec: { template: {} }, expected: { template: {} } },
  ] as const) {
    it(`stand in selectors and in what pods are made of: ${kind}`, () => {
      expect(specWith('commonLabels', NEW, kind, spec)).to.deep.equal(expected)
    })
  }

  it('bring no claims into being', () => {
    expect(specWith('commonLabels', NEW, 'StatefulSet', { template: {} })).not.to.have.property('volumeClaimTemplates')
  })

  it('stand where `labels` says, and nowhere else', () => {
    const spec = { selector: { matchLabels: OLD }, template: {} }
    const found = (more: JsonObject) => specWith('labels', [{ pairs: NEW, ...more }], 'Deployment', spec)
    const template = { metadata: { labels: NEW } }
    expect(found({})).to.deep.equal(spec)
    expect(found({ includeTemplates: true })).to.deep.equal({ ...spec, template })
    expect(found({ includeSelectors: true })).to.deep.equal({ selector: { matchLabels: BOTH }, template })
  })

  it('are not annotations, which stand on what pods are made of as well', () => {
    const template = { metadata: { annotations: NEW } }
    expect(specWith('commonAnnotations', NEW, 'Deployment', { template: {} })).to.deep.equal({ template })
    expect(specWith('commonAnnotations', NEW, 'CronJob', { jobTemplate: { spec: {} } })).to.deep.equal({
      jobTemplate: { metadata: { annotations: NEW }, spec: { template } },
    })
    expect(specWith('commonAnnotations', NEW, 'StatefulSet', { volumeClaimTemplates: [{}] })).to.deep.equal({
      template,
      volumeClaimTemplates: [{}],
    })
  })
})
