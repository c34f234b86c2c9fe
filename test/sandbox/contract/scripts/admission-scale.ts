import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath } from '../object-steps.ts'
import { createPolicy, type PolicyCase, removePolicy } from '../policy-steps.ts'

const KIND = 'ValidatingAdmissionPolicy'
const spec = { type: 'object', properties: { replicas: { type: 'integer' } } }
const scale: JsonObject = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const versions = ['v1', 'v2'].map((name) => crdVersion(spec, { name, subresources: { scale } }))

/** What a policy about the scale of one version gets when another version is written. */
const policy: PolicyCase = {
  name: 'scaled',
  policy: {
    matchConstraints: {
      matchPolicy: 'Equivalent',
      objectSelector: {},
      resourceRules: [
        { apiGroups: ['{ns}.example.com'], apiVersions: ['v2'], operations: ['*'], resources: ['gauges/scale'] },
      ],
    },
    validations: [
      {
        expression: 'false',
        messageExpression:
          '[request.kind.kind, request.resource.version, request.requestResource.version, string(object.apiVersion)].join(" ")',
      },
    ],
  },
}

/** A namespace is chosen by its own labels, before it is there. */
const spaces: PolicyCase = {
  name: 'spaces',
  policy: {
    matchConstraints: {
      namespaceSelector: { matchLabels: { run: '{ns}' } },
      objectSelector: {},
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['namespaces'] }],
    },
    validations: [{ expression: 'false', message: 'not this one' }],
  },
}

const space = (name: string, labels: JsonObject, more: Partial<Step> = {}): Step => ({
  name: `a namespace ${name}`,
  method: 'POST',
  path: '/api/v1/namespaces?dryRun=All',
  body: { metadata: { name: '{ns}-new', labels } },
  ...more,
})

const put = (version: string, more: Partial<Step> = {}): Step => ({
  name: `the scale in ${version}`,
  method: 'PUT',
  path: `${customPath('gauges', version)}/a/scale?dryRun=All`,
  body: { metadata: { name: 'a' }, spec: { replicas: 2 } },
  ...more,
})

export const steps: readonly Step[] = [
  ...crdSteps('Gauge', versions),
  ...createPolicy(KIND, policy),
  ...createPolicy(KIND, spaces),
  {
    name: 'a gauge',
    method: 'POST',
    path: customPath('gauges'),
    body: { apiVersion: '{ns}.example.com/v1', kind: 'Gauge', metadata: { name: 'a' }, spec: { replicas: 3 } },
  },
  put('v2', { until: 422 }),
  put('v1'),
  space('that is meant', { run: '{ns}' }, { until: 422 }),
  space('that is not', { run: 'other' }),
  ...removePolicy(KIND, policy),
  ...removePolicy(KIND, spaces),
]
