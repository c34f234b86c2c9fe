import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { badRequest, internalError, statusError } from '../../api-status.ts'
import { BOOL } from '../../cel/cel-type.ts'
import { type OutsideAnswer, PendingAnswer } from '../../write/outside-answers.ts'
import { type AdmissionAttributes, describeRequest } from '../attributes.ts'
import { match, objectsOf } from '../matching.ts'
import { compileExpression, EvaluationError, PolicyVariables } from '../policies/policy-expression.ts'
import { conditionsHold, nameOf, newEvaluation } from '../policies/policy-match.ts'
import { callWebhook, responseOf } from './call-webhook.ts'

/** One webhook of a configuration, and the change as it wants to see it. */
export interface WebhookInvocation {
  readonly webhook: JsonObject
  readonly name: string
  readonly matched: AdmissionAttributes
  /** Of the configuration and the webhook in it. */
  readonly id: string
}

/** What a webhook that was reached said. */
export interface WebhookResponse {
  readonly response: JsonObject
}

/** Every webhook of a kind of configuration that a change is to be shown to, in order. */
export function* webhooksFor(attributes: AdmissionAttributes, kind: string): Iterable<WebhookInvocation> {
  const gvk = { group: 'admissionregistration.k8s.io', version: 'v1', kind }
  for (const configuration of attributes.state.objects.list(gvk)) {
    for (const webhook of objectsOf(configuration.webhooks)) {
      const { namespaceSelector, objectSelector, matchPolicy } = webhook
      const rules = objectsOf(webhook.rules)
      if (rules.length === 0) continue
      const matched = match(attributes, { namespaceSelector, objectSelector, matchPolicy, rules })
      if (!matched) continue
      const name = String(webhook.name)
      const invocation = { webhook, name, matched, id: `${nameOf(configuration)}/${name}` }
      if (wants(invocation, attributes, configuration)) yield invocation
    }
  }
}

const NO_VARIABLES = new PolicyVariables([], { hasParams: false })

/** @throws ApiError 403 when a condition has no value and the webhook must not be passed by */
function wants(
  { webhook, name, matched }: WebhookInvocation,
  attributes: AdmissionAttributes,
  policy: KubeObject,
): boolean {
  const conditions = objectsOf(webhook.matchConditions)
  if (conditions.length === 0) return true
  const compiled = conditions.map((each) =>
    compileExpression(String(each.expression), { hasParams: false }, { returns: [BOOL] }),
  )
  const invocation = { policy, binding: policy, params: undefined, matched }
  try {
    return conditionsHold(compiled, newEvaluation(invocation, attributes, NO_VARIABLES))
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    if (webhook.failurePolicy === 'Ignore') return false
    throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${error.message}`)
  }
}

/**
 * What a webhook says; `undefined` when it failed and may. `round` counts how often it is asked about one change.
 *
 * @throws ApiError PendingAnswer
 */
export function askWebhook(
  invocation: WebhookInvocation,
  attributes: AdmissionAttributes,
  round: string,
): JsonObject | undefined {
  const { webhook, name, matched, id } = invocation
  const { outside, dryRun } = attributes.request
  // Controllers within the server cannot wait for an answer.
  if (!outside) return undefined
  if (dryRun && webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`)
  }
  const { operation, namespace, subresource, old } = attributes
  const subject = [operation, namespace, attributes.name, subresource, old?.metadata.resourceVersion]
  const question = [round, id, ...subject].join('|')
  const uid = outside.once(question, () => crypto.randomUUID())
  const review = reviewOf(uid, attributes, matched)
  const timeoutSeconds = Number(webhook.timeoutSeconds ?? 10)
  const clientConfig = isJsonObject(webhook.clientConfig) ? webhook.clientConfig : {}
  const answer = outside.get(question, () => callWebhook({ clientConfig, timeoutSeconds, review }))
  return checkedResponse(invocation, answer, uid)
}

function reviewOf(uid: string, attributes: AdmissionAttributes, matched: AdmissionAttributes): JsonObject {
  const { object, old } = matched
  const request = {
    uid,
    ...describeRequest(attributes, matched),
    object: (object as JsonObject | undefined) ?? null,
    oldObject: (old as JsonObject | undefined) ?? null,
  }
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request }
}

function checkedResponse(
  { webhook, name }: WebhookInvocation,
  answer: OutsideAnswer,
  uid: string,
): JsonObject | undefined {
  const failure = 'failure' in answer ? answer.failure : invalidity(answer.body, uid)
  if (failure === undefined) return responseOf((answer as { body: JsonValue }).body)
  if (webhook.failurePolicy === 'Ignore') return undefined
  throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${failure}`)
}

function invalidity(body: JsonValue, uid: string): string | undefined {
  const prefix = 'received invalid webhook response: '
  const { apiVersion = '', kind = '' } = isJsonObject(body) ? body : {}
  const response = responseOf(body)
  if (!response) return `${prefix}webhook response was absent`
  if (response.uid !== uid) {
    return `${prefix}expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(String(response.uid ?? ''))}`
  }
  if (apiVersion === 'admission.k8s.io/v1' && kind === 'AdmissionReview') return undefined
  const wanted = 'admission.k8s.io/v1, Kind=AdmissionReview'
  return `${prefix}expected webhook response of ${wanted}, got ${apiVersion}, Kind=${kind}`
}

/** Warnings reach the client; a refusal is thrown as the webhook words it. @throws ApiError */
export function heed({ name }: WebhookInvocation, response: JsonObject, { request }: AdmissionAttributes): void {
  for (const text of isJsonArray(response.warnings) ? response.warnings : []) request.warn(String(text))
  if (response.allowed === true) return
  const result = isJsonObject(response.status) ? response.status : {}
  const { message, reason = '', details } = result
  const why = message ? `: ${message}` : reason ? `: ${reason}` : ' without explanation'
  const code = Math.max(Number(result.code ?? 0), 400)
  throw statusError(code, String(reason), `admission webhook ${JSON.stringify(name)} denied the request${why}`, {
    ...(isJsonObject(details) && { details }),
  })
}

/** Asks the webhooks of one change side by side. @throws PendingAnswer ApiError */
export function together(asks: readonly (() => void)[]): void {
  const pending: Promise<unknown>[] = []
  let refusal: unknown
  for (const ask of asks) {
    try {
      ask()
    } catch (error) {
      if (error instanceof PendingAnswer) pending.push(error.arrived)
      else refusal ??= error
    }
  }
  if (pending.length > 0) throw new PendingAnswer(Promise.all(pending))
  if (refusal) throw refusal
}
