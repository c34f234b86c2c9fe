import { explain } from '../../../base/coded-error.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { internalError } from '../../api-status.ts'
import { applyJsonPatch } from '../../patch/json-patch.ts'
import { PatchError } from '../../patch/patch-error.ts'
import { presentObject, toStorage } from '../../served-resource.ts'
import { completeMerged } from '../../write/decode-object.ts'
import type { AdmissionAttributes } from '../attributes.ts'
import type { MutationRound } from '../policies/mutating-policies.ts'
import { askWebhook, heed, type WebhookInvocation, webhooksFor } from './webhooks.ts'

/** The object as every MutatingWebhookConfiguration's webhooks leave it, one after the other. @throws ApiError PendingAnswer */
export function applyMutatingWebhooks(attributes: AdmissionAttributes, round: MutationRound): KubeObject | undefined {
  let object = attributes.object
  for (const invocation of webhooksFor(attributes, 'MutatingWebhookConfiguration')) {
    const key = `webhook ${invocation.id}`
    if (round.isSecond && !round.reinvocable.has(key)) continue
    const current = { ...attributes, object }
    const shown = { ...invocation, matched: shownAs(invocation, current) }
    const response = askWebhook(shown, current, round.isSecond ? 'mutate again' : 'mutate')
    if (invocation.webhook.reinvocationPolicy === 'IfNeeded') round.reinvocable.add(key)
    if (!response) continue
    heed(invocation, response, attributes)
    object = patchedBy(shown, response, current)
  }
  return object
}

/** What others have made of the object, in the version of the webhook. */
function shownAs({ matched }: WebhookInvocation, { resource, object }: AdmissionAttributes): AdmissionAttributes {
  if (!object || matched.resource === resource) return { ...matched, object }
  return { ...matched, object: presentObject(matched.resource, toStorage(resource, object)) }
}

function patchedBy(
  { name, matched }: WebhookInvocation,
  { patch }: JsonObject,
  { object, resource, request }: AdmissionAttributes,
): KubeObject | undefined {
  if (typeof patch !== 'string' || patch === '') return object
  if (!object || !matched.object) {
    const what = 'attempted to modify the object, which is not supported for this operation'
    throw internalError(`admission webhook ${JSON.stringify(name)} ${what}`)
  }
  try {
    const operations = JSON.parse(Buffer.from(patch, 'base64').toString())
    const changed = applyJsonPatch(matched.object as JsonObject, operations) as KubeObject
    const complete = completeMerged({ ...request, resource: matched.resource }, changed)
    return matched.resource === resource ? complete : presentObject(resource, toStorage(matched.resource, complete))
  } catch (error) {
    if (!(error instanceof PatchError) && !(error instanceof SyntaxError)) throw error
    throw internalError(explain(error instanceof PatchError ? (error.cause ?? error) : error))
  }
}
