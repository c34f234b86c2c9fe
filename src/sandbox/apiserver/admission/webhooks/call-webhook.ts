import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { postReview } from '../../webhooks/post-review.ts'
import type { ReviewKind } from '../../webhooks/read-review.ts'
import type { OutsideAnswer } from '../../write/outside-answers.ts'

const FIELDS: ReviewKind['fields'] = {
  uid: ['types.UID', isText],
  allowed: ['bool', (value) => typeof value === 'boolean'],
  status: ['v1.Status', isJsonObject],
  patch: ['[]uint8', isText],
  patchType: ['v1.PatchType', isText],
  auditAnnotations: ['map[string]string', isJsonObject],
  warnings: ['[]string', isJsonArray],
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

export interface AdmissionCall {
  readonly clientConfig: JsonObject
  readonly timeoutSeconds: number
  readonly review: JsonObject
  /** `v1` or `v1beta1`. */
  readonly reviewVersion: string
}

/** Posts an AdmissionReview to a webhook of this machine. Never rejects: what went wrong is the answer. */
export async function callWebhook({ reviewVersion, ...call }: AdmissionCall): Promise<OutsideAnswer> {
  const response = 'AdmissionResponse'
  const kind = { group: 'admission.k8s.io', version: reviewVersion, kind: 'AdmissionReview', response, fields: FIELDS }
  const answer = await postReview({ ...call, kind })
  return 'failure' in answer ? { failure: `failed to call webhook: ${answer.failure}` } : answer
}
