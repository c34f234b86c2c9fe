import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { forbidden, internalError, statusError } from '../../api-status.ts'
import { BOOL } from '../../cel/cel-type.ts'
import { PendingAnswer } from '../../write/outside-answers.ts'
import { type AdmissionAttributes, describeRequest } from '../attributes.ts'
import { match, objectsOf } from '../matching.ts'
import { BudgetError, compileExpression, EvaluationError, PolicyVariables } from '../policies/policy-expression.ts'
import { CONDITIONS_COST, conditionsHold, nameOf, newEvaluation } from '../policies/policy-match.ts'
import { callWebhook } from './call-webhook.ts'
import { invalidity, responseOf } from './check-review.ts'

/** One webhook of a configuration, and the change as it wants to see it. */
export interface WebhookInvocation {
  readonly webhook: JsonObject
  readonly name: string
  readonly matched: AdmissionAttributes
  /** Of the configuration and the webhook in it. */
  readonly id: string
}

/** Every webhook of a kind of configuration that a change, as it is by then, is to be shown to, in order. */
export function* webhooksFor(current: () => AdmissionAttributes, kind: string): Iterable<WebhookInvocation> {
  const gvk = { group: 'admissionregistration.k8s.io', version: 'v1', kind }
  for (const configuration of current().state.objects.list(gvk)) {
    for (const webhook of objectsOf(configuration.webhooks)) {
      const { namespaceSelector, objectSelector, matchPolicy } = webhook
      const rules = objectsOf(webhook.rules)
      if (rules.length === 0) continue
      const attributes = current()
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
function wants({ webhook, matched }: WebhookInvocation, attributes: AdmissionAttributes, policy: KubeObject): boolean {
  const conditions = objectsOf(webhook.matchConditions)
  if (conditions.length === 0) return true
  const compiled = conditions.map((each) =>
    compileExpression(String(each.expression), { hasParams: false }, { returns: [BOOL] }),
  )
  const invocation = { policy, binding: policy, params: undefined, matched }
  try {
    return conditionsHold(
      compiled,
      newEvaluation(invocation, attributes, { variables: NO_VARIABLES, budget: CONDITIONS_COST }),
    )
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof BudgetError)) throw error
    if (webhook.failurePolicy === 'Ignore') return false
    throw forbidden(attributes.resource, attributes.name, error.message)
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
  const { webhook, matched, id } = invocation
  const { outside } = attributes.request
  // Controllers within the server cannot wait for an answer.
  if (!outside) return undefined
  const { operation, namespace, subresource, old } = attributes
  const subject = [operation, namespace, attributes.name, subresource, old?.metadata.resourceVersion]
  const question = [round, id, ...subject].join('|')
  const expected = {
    uid: outside.once(question, () => crypto.randomUUID()),
    reviewVersion: reviewVersionOf(webhook),
    mutates: round !== VALIDATE,
  }
  const review = reviewOf(expected, attributes, matched)
  const timeoutSeconds = Number(webhook.timeoutSeconds ?? 10)
  const clientConfig = isJsonObject(webhook.clientConfig) ? webhook.clientConfig : {}
  const { reviewVersion } = expected
  const answer = outside.get(question, () => callWebhook({ clientConfig, timeoutSeconds, review, reviewVersion }))
  const failure = 'failure' in answer ? answer.failure : invalidity(answer.body, expected)
  if (failure === undefined) return responseOf((answer as { body: JsonValue }).body)
  return failedCall(invocation, failure)
}

/** The round in which nothing is changed any more. */
export const VALIDATE = 'validate'

/** The first that is known here: validation asks for one. */
function reviewVersionOf({ admissionReviewVersions: versions }: JsonObject): string {
  return String((versions as JsonArray).find((version) => version === 'v1' || version === 'v1beta1'))
}

function reviewOf(
  { uid, reviewVersion }: { readonly uid: string; readonly reviewVersion: string },
  attributes: AdmissionAttributes,
  matched: AdmissionAttributes,
): JsonObject {
  const { object, old } = matched
  const request = {
    uid,
    ...describeRequest(attributes, matched),
    object: (object as JsonObject | undefined) ?? null,
    oldObject: (old as JsonObject | undefined) ?? null,
  }
  return { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${reviewVersion}`, request }
}

/** As if it had not been asked, where that is allowed. @throws ApiError 500 */
export function failedCall({ webhook, name }: WebhookInvocation, failure: string): undefined {
  if (webhook.failurePolicy === 'Ignore') return undefined
  throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${failure}`)
}

/** Warnings reach the client; a refusal is thrown as the webhook words it. @throws ApiError */
export function heed({ name }: WebhookInvocation, response: JsonObject, { request }: AdmissionAttributes): void {
  for (const text of isJsonArray(response.warnings) ? response.warnings : []) request.warn(String(text))
  if (response.allowed === true) return
  const { metadata, message, reason = '', details, code } = isJsonObject(response.status) ? response.status : {}
  const why = message ? `: ${message}` : reason ? `: ${reason}` : ' without explanation'
  const text = `admission webhook ${JSON.stringify(name)} denied the request${why}`
  throw statusError(Math.max(Number(code ?? 0), 400), String(reason), text, {
    ...(isJsonObject(details) && { details }),
    ...(isJsonObject(metadata) && { metadata }),
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
