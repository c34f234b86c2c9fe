import type { JsonObject } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, mapItems, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'
import { validateWebhooks } from './webhook-validation.ts'

const group = 'admissionregistration.k8s.io'
const validatingGvk = { group, version: 'v1', kind: 'ValidatingWebhookConfiguration' }
const mutatingGvk = { group, version: 'v1', kind: 'MutatingWebhookConfiguration' }

export const validatingWebhookConfiguration: KindRules = {
  gvk: validatingGvk,
  keepsEmpty: true,
  applyDefaults: (object) => mapItems(object, 'webhooks', webhookDefaults),
  validate: (object) => validateWebhooks(object, false),
  generationFields: [['webhooks']],
  countsEmpty: true,
  unconditionalUpdate: false,
  columns: columnsOf(validatingGvk, { Webhooks: (object) => itemsAt(object, 'webhooks').length }),
}

export const mutatingWebhookConfiguration: KindRules = {
  gvk: mutatingGvk,
  keepsEmpty: true,
  applyDefaults: (object) =>
    mapItems(object, 'webhooks', (webhook) => withDefaults(webhookDefaults(webhook), { reinvocationPolicy: 'Never' })),
  validate: (object) => validateWebhooks(object, true),
  generationFields: [['webhooks']],
  countsEmpty: true,
  unconditionalUpdate: false,
  columns: columnsOf(mutatingGvk, { Webhooks: (object) => itemsAt(object, 'webhooks').length }),
}

function webhookDefaults(given: JsonObject): JsonObject {
  const webhook = withDefaults(given, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  })
  const ruled = mapItems(webhook, 'rules', (rule) => withDefaults(rule, { scope: '*' }))
  return mapField(ruled, 'clientConfig', (config) =>
    mapField(config, 'service', (service) => withDefaults(service, { port: 443 })),
  )
}
