/** What becomes of the fields of an apply that a mutating policy rewrites, or adds to. */
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'
import { createPolicy, type PolicyCase, removePolicy } from '../policy-steps.ts'

const KIND = 'MutatingAdmissionPolicy'
const TEMPLATES = '/api/v1/namespaces/{ns}/podtemplates'
const ENGINE = 'rolebook!'

const RULES = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['podtemplates'] },
  ],
}

const mutation = (expression: string): JsonObject => ({
  matchConstraints: RULES,
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
})

const CONTAINERS = '/template/spec/containers'

const CASES: readonly PolicyCase[] = [
  {
    name: 'image',
    policy: mutation(`[JSONPatch{op: "replace", path: "${CONTAINERS}/0/image", value: "mirror/app:1"}]`),
  },
  {
    name: 'sidecar',
    policy: mutation(
      `object.template.spec.containers.exists(c, c.name == "side") ? [] : [JSONPatch{op: "add", path: "${CONTAINERS}/-", value: Object.template.spec.containers{name: "side", image: "side:1"}}]`,
    ),
  },
  {
    name: 'label',
    policy: mutation('[JSONPatch{op: "add", path: "/metadata/labels/example.com~1team", value: "a"}]'),
  },
  {
    name: 'number',
    policy: mutation(
      `object.template.spec.terminationGracePeriodSeconds > 9 ? [JSONPatch{op: "replace", path: "/template/spec/terminationGracePeriodSeconds", value: 9}] : []`,
    ),
  },
]

const wanted = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { case: name } },
  template: {
    metadata: { labels: { app: 'x' } },
    spec: { terminationGracePeriodSeconds: 20, containers: [{ name: 'app', image: 'app:1' }], ...more },
  },
})

export const steps: readonly Step[] = CASES.flatMap((policy): readonly Step[] => {
  const object = new ObjectSteps(`rewritten ${policy.name}`, TEMPLATES, 'v1 PodTemplate')
  const probe = new ObjectSteps(`probe ${policy.name}`, TEMPLATES, 'v1 PodTemplate')
  const isMutated = (body: unknown): boolean => /mirror|side:1|example.com\/team|Seconds":9/.test(JSON.stringify(body))
  const as = `rewritten ${policy.name}`
  return [
    ...createPolicy(KIND, policy),
    probe.create(wanted(policy.name), { name: 'the policy is at work', query: 'dryRun=All', until: isMutated }),
    object.apply('is made', ENGINE, wanted(policy.name), { as }),
    object.apply('applied again', ENGINE, wanted(policy.name)),
    object.unchangedSince(as, 'is the same object'),
    object.patch('somebody else changes another field', 'merge', {
      template: { metadata: { annotations: { a: 'b' } } },
    }),
    object.apply('applied once more', ENGINE, wanted(policy.name)),
    object.apply('applied with another field', ENGINE, wanted(policy.name, { hostname: 'h' })),
    ...removePolicy(KIND, policy),
  ]
})
