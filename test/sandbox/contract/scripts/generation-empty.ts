import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const ADMISSION = 'admissionregistration.k8s.io/v1'
const APPLIED = { spec: { podSelector: {}, ingress: [] } }
const policy = new ObjectSteps(
  'policy',
  '/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies',
  'networking.k8s.io/v1 NetworkPolicy',
)
const ingress = new ObjectSteps(
  'ingress',
  '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses',
  'networking.k8s.io/v1 Ingress',
)

const webhook = {
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
}

/** Without rules it is asked about nothing. */
function configurationSteps(kind: string): readonly Step[] {
  const path = `/apis/${ADMISSION}/${kind.toLowerCase()}s`
  const configuration = new ObjectSteps(kind, path, `${ADMISSION} ${kind}`, '-{ns}')
  const withWebhook = (more: JsonObject): JsonObject => ({ webhooks: [{ ...webhook, ...more }] })
  return [
    configuration.create(withWebhook({})),
    configuration.patch('the same', 'merge', withWebhook({})),
    configuration.patch('no conditions', 'merge', withWebhook({ matchConditions: [] })),
    configuration.patch('no conditions again', 'merge', withWebhook({ matchConditions: [] })),
    configuration.patch('a selector without labels', 'merge', withWebhook({ objectSelector: { matchLabels: {} } })),
    configuration.patch('as it was', 'merge', withWebhook({})),
    configuration.delete(),
  ]
}

/** Whether an empty list or map that is not stored counts as a change of the spec. */
export const steps: readonly Step[] = [
  policy.create({ spec: { podSelector: {} } }),
  policy.put('the same', { spec: { podSelector: {} } }),
  policy.put('no ingress', APPLIED),
  policy.put('no ingress again', APPLIED),
  policy.patch('no labels', 'json', [{ op: 'replace', path: '/spec/podSelector/matchLabels', value: {} }]),
  policy.patch('no labels merged', 'merge', { spec: { podSelector: { matchLabels: {} } } }),
  policy.patch('no egress merged', 'strategic', { spec: { egress: [] } }),
  policy.apply('applied', 'alice!', APPLIED),
  policy.apply('applied again', 'alice', APPLIED),
  policy.patch('a label beside', 'merge', { metadata: { labels: { a: 'b' } } }),
  policy.patch('a rule from anywhere', 'merge', { spec: { ingress: [{ from: [], ports: [] }] } }),
  policy.patch('the rule again', 'merge', { spec: { ingress: [{ from: [], ports: [] }] } }),
  policy.patch('the rule without lists', 'merge', { spec: { ingress: [{}] } }),
  policy.get(),
  ingress.create({ spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } } }),
  ingress.patch('no rules', 'merge', { spec: { rules: [], tls: [] } }),
  ...configurationSteps('ValidatingWebhookConfiguration'),
  ...configurationSteps('MutatingWebhookConfiguration'),
]
