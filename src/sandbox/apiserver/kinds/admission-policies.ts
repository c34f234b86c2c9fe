import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import {
  validateMutatingPolicy,
  validatePolicyBinding,
  validatePolicyStatus,
  validateValidatingPolicy,
} from './admission-policy-validation.ts'
import { columnsOf } from './common/columns.ts'
import { mapField, mapItems, objectAt, withDefaults } from './common/fields.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'

const group = 'admissionregistration.k8s.io'

function policyRules(kind: string, defaults: (object: KubeObject) => KubeObject): KindRules {
  const gvk = { group, version: 'v1', kind }
  return {
    gvk,
    applyDefaults: defaults,
    generationFields: [['spec']],
    unconditionalUpdate: false,
    columns: columnsOf(gvk),
  }
}

export const validatingAdmissionPolicy: KindRules = {
  ...policyRules('ValidatingAdmissionPolicy', (object) =>
    withDefaults(
      mapField(object, 'spec', (spec) => policyDefaults(spec)),
      { status: {} },
    ),
  ),
  ...specAndStatus(),
  validate: (object) => [
    ...validateValidatingPolicy(objectAt(object, 'spec'), object.metadata.name),
    ...validatePolicyStatus(objectAt(object, 'status')),
  ],
  validateStatusUpdate: (object) => validatePolicyStatus(objectAt(object, 'status')),
}

export const mutatingAdmissionPolicy: KindRules = {
  ...policyRules('MutatingAdmissionPolicy', (object) => mapField(object, 'spec', policyDefaults)),
  validate: (object) => validateMutatingPolicy(objectAt(object, 'spec')),
}

export const validatingAdmissionPolicyBinding: KindRules = {
  ...policyRules('ValidatingAdmissionPolicyBinding', bindingDefaults),
  validate: (object) => validatePolicyBinding(objectAt(object, 'spec'), false),
}

export const mutatingAdmissionPolicyBinding: KindRules = {
  ...policyRules('MutatingAdmissionPolicyBinding', bindingDefaults),
  validate: (object) => validatePolicyBinding(objectAt(object, 'spec'), true),
}

function policyDefaults(spec: JsonObject): JsonObject {
  const matched = mapField(spec, 'matchConstraints', matchDefaults)
  return withDefaults(matched, { failurePolicy: 'Fail' })
}

function bindingDefaults(object: KubeObject): KubeObject {
  return mapField(object, 'spec', (spec) => mapField(spec, 'matchResources', matchDefaults))
}

function matchDefaults(match: JsonObject): JsonObject {
  let ruled = match
  for (const list of ['resourceRules', 'excludeResourceRules']) {
    ruled = mapItems(ruled, list, (rule) => withDefaults(rule, { scope: '*' }))
  }
  return withDefaults(ruled, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
}
