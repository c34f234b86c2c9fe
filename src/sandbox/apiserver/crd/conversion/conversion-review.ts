import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { postReview } from '../../webhooks/post-review.ts'
import type { ReviewKind } from '../../webhooks/read-review.ts'

const GROUP = 'apiextensions.k8s.io'
const KIND = 'ConversionReview'
/** The real server gives no webhook of a CRD more time, or less. */
const TIMEOUT_SECONDS = 30

const FIELDS: ReviewKind['fields'] = {
  uid: ['types.UID', (value) => typeof value === 'string'],
  convertedObjects: ['[]runtime.RawExtension', isJsonArray],
  result: ['v1.Status', isJsonObject],
}

/** How a CRD wants its objects to be converted: `spec.conversion.webhook`. */
export interface ConversionClient {
  readonly clientConfig: JsonObject
  readonly conversionReviewVersions: readonly string[]
}

/** What a webhook makes of one object, or what went wrong. */
export type Converted =
  | { readonly object: JsonValue }
  /** `failed: …` or `returned …`: the message names the webhook before it. */
  | { readonly problem: string }

/** Posts one object to a conversion webhook. Never rejects. */
export async function convertByWebhook(
  { clientConfig, conversionReviewVersions }: ConversionClient,
  object: JsonObject,
  desiredAPIVersion: string,
): Promise<Converted> {
  const version = conversionReviewVersions.find((each) => each === 'v1' || each === 'v1beta1') ?? 'v1'
  const uid = crypto.randomUUID()
  const request = { uid, desiredAPIVersion, objects: [object] }
  const answer = await postReview({
    clientConfig,
    timeoutSeconds: TIMEOUT_SECONDS,
    review: { kind: KIND, apiVersion: `${GROUP}/${version}`, request },
    kind: { group: GROUP, version, kind: KIND, response: 'ConversionResponse', fields: FIELDS },
  })
  if ('failure' in answer) return { problem: `failed: ${answer.failure}` }
  return readResponse(answer.body as JsonObject, { version, uid })
}

function readResponse(
  review: JsonObject,
  { version, uid }: { readonly version: string; readonly uid: string },
): Converted {
  const { response } = review
  const problem = problemOf(review, { version, uid })
  if (problem !== undefined) return { problem: `failed: ${problem}` }
  const { convertedObjects } = response as JsonObject
  const objects = isJsonArray(convertedObjects) ? convertedObjects : []
  if (objects.length !== 1) return { problem: `returned ${objects.length} objects, expected 1` }
  return { object: objects[0] as JsonValue }
}

function problemOf(
  { apiVersion = '', kind = '', response }: JsonObject,
  { version, uid }: { readonly version: string; readonly uid: string },
): string | undefined {
  // The old version was never looked at closely.
  const isStrict = version === 'v1'
  if (isStrict && (apiVersion === '' || kind === '')) {
    return `expected webhook response of ${GROUP}/v1, Kind=${KIND}, got /, Kind=`
  }
  if (!isJsonObject(response)) return 'no response provided'
  if (isStrict && response.uid !== uid) {
    return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`
  }
  const { status = '', message = '' } = isJsonObject(response.result) ? response.result : {}
  if (status === 'Success') return undefined
  return message === '' ? `response.result.status was '${status}', not 'Success'` : String(message)
}
