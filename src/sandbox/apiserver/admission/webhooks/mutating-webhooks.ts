import { explain } from '../../../../core/base/coded-error.ts'
import { isJsonArray, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { ApiError } from '../../../../core/kube/api-error.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { goSyntaxError } from '../../../../core/schema/go-syntax-error.ts'
import { internalError } from '../../api-status.ts'
import { applyJsonPatch } from '../../patch/json-patch.ts'
import { jsonKindOf, PatchError } from '../../patch/patch-error.ts'
import { presentObject, toStorage } from '../../served-resource.ts'
import { decodeObject } from '../../write/decode-object.ts'
import { decodingCause } from '../../write/decode-patched.ts'
import type { AdmissionAttributes } from '../attributes.ts'
import { isSame, type Reinvocation } from '../reinvocation.ts'
import { askWebhook, failedCall, heed, type WebhookInvocation, webhooksFor } from './webhooks.ts'

/** The object as every MutatingWebhookConfiguration's webhooks leave it, one after the other. @throws ApiError PendingAnswer */
export function applyMutatingWebhooks(
  attributes: AdmissionAttributes,
  { isSecond, reinvocation }: { readonly isSecond: boolean; readonly reinvocation: Reinvocation },
): KubeObject | undefined {
  let { object } = attributes
  const current = (): AdmissionAttributes => ({ ...attributes, object })
  reinvocation.begin(isSecond, object)
  for (const invocation of webhooksFor(current, 'MutatingWebhookConfiguration')) {
    if (!reinvocation.isDue(invocation.id)) continue
    const response = askWebhook(invocation, current(), isSecond ? 'mutate again' : 'mutate')
    if (response) heed(invocation, response, attributes)
    const changed = response ? patchedBy(invocation, response, current()) : object
    if (!isSame(changed, object)) reinvocation.changed()
    object = changed
    if (invocation.webhook.reinvocationPolicy === 'IfNeeded') reinvocation.asked(invocation.id)
  }
  reinvocation.end(object)
  return object
}

function patchedBy(
  invocation: WebhookInvocation,
  { patch, patchType }: JsonObject,
  { object, resource, request }: AdmissionAttributes,
): KubeObject | undefined {
  const { name, matched } = invocation
  if (!patch) return object
  const operations = decodePatch(String(patch))
  if (typeof operations === 'string') {
    failedCall(invocation, `received undecodable patch in webhook response: ${operations}`)
    return object
  }
  if (operations.length === 0) return object
  if (!matched.object) {
    const what = 'attempted to modify the object, which is not supported for this operation'
    throw internalError(`admission webhook ${JSON.stringify(name)} ${what}`)
  }
  if (patchType !== undefined && patchType !== 'JSONPatch') {
    failedCall(invocation, `unsupported patch type ${JSON.stringify(patchType)}`)
    return object
  }
  return withInternalErrors(() => {
    const changed = applyJsonPatch(matched.object as JsonObject, operations)
    const complete = decodeObject({ ...request, resource: matched.resource, fieldValidation: 'Ignore' }, changed)
    return matched.resource === resource ? complete : presentObject(resource, toStorage(matched.resource, complete))
  })
}

/** The operations, or what is wrong with them. */
function decodePatch(patch: string): readonly JsonValue[] | string {
  const text = Buffer.from(patch, 'base64').toString()
  try {
    const operations: JsonValue = JSON.parse(text)
    if (isJsonArray(operations)) return operations
    return `json: cannot unmarshal ${jsonKindOf(operations)} into Go value of type jsonpatch.Patch`
  } catch {
    return goSyntaxError(text)
  }
}

/** An error in a patched object is the fault of the webhook and not of the client, so it becomes an internal error. */
function withInternalErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PatchError) throw internalError(explain(error.cause ?? error))
    if (error instanceof ApiError && error.httpStatus === 400) throw internalError(decodingCause(error))
    throw error
  }
}
