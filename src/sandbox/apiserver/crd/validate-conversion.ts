import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { validateWebhookClient } from '../kinds/webhook-client-validation.ts'
import { checkLabel1035 } from '../write/names.ts'

const FIELD = 'spec.conversion'
const CLIENT = `${FIELD}.webhookClientConfig`
const REVIEWS = `${FIELD}.conversionReviewVersions`

/** Complaints about how objects get from one version to another; the real server names fields as it keeps them. */
export function validateConversion({ conversion }: JsonObject): readonly FieldError[] {
  if (!isJsonObject(conversion)) return []
  const strategy = typeof conversion.strategy === 'string' ? conversion.strategy : ''
  const webhook = isJsonObject(conversion.webhook) ? conversion.webhook : {}
  const checks = strategy === 'Webhook' ? validateWebhook : forbidWebhook
  return [...validateStrategy(strategy), ...checks(webhook)]
}

function validateStrategy(strategy: string): readonly FieldError[] {
  if (strategy === '') return [required(`${FIELD}.strategy`, '')]
  if (strategy === 'None' || strategy === 'Webhook') return []
  const detail = 'supported values: "None", "Webhook"'
  return [{ type: 'NotSupported', field: `${FIELD}.strategy`, value: strategy, detail }]
}

function forbidWebhook({ clientConfig, conversionReviewVersions: versions }: JsonObject): readonly FieldError[] {
  const detail = 'should not be set when strategy is not set to Webhook'
  return [
    ...(isJsonObject(clientConfig) ? [forbidden(CLIENT, detail)] : []),
    ...(isJsonArray(versions) && versions.length > 0 ? [forbidden(REVIEWS, detail)] : []),
  ]
}

function validateWebhook({ clientConfig, conversionReviewVersions }: JsonObject): readonly FieldError[] {
  return [...validateClient(clientConfig), ...validateReviewVersions(conversionReviewVersions)]
}

function validateClient(config: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(config)) return [required(CLIENT, 'required when strategy is set to Webhook')]
  return validateWebhookClient(config, CLIENT)
}

function validateReviewVersions(versions: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonArray(versions) || versions.length === 0) return [required(REVIEWS, '')]
  const errors = versions.flatMap((version, index): readonly FieldError[] => {
    const field = `${REVIEWS}[${index}]`
    if (versions.indexOf(version) < index)
      return [{ type: 'Invalid', field, value: version, detail: 'duplicate version' }]
    return checkLabel1035(String(version)).map((detail) => ({ type: 'Invalid', field, value: version, detail }))
  })
  if (versions.some((version) => version === 'v1' || version === 'v1beta1')) return errors
  const detail = 'must include at least one of v1, v1beta1'
  return [...errors, { type: 'Invalid', field: REVIEWS, value: versions, detail }]
}

function required(field: string, detail: string): FieldError {
  return { type: 'Required', field, detail }
}

function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail }
}
