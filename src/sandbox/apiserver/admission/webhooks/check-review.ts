import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'

export interface ExpectedReview {
  readonly uid: string
  /** `v1` or `v1beta1`. */
  readonly reviewVersion: string
  readonly mutates: boolean
}

/** Why an AdmissionReview is no answer to what was asked; `undefined` when it is one. */
export function invalidity(body: JsonValue, expected: ExpectedReview): string | undefined {
  const problem = problemOf(body, expected)
  return problem && `received invalid webhook response: ${problem}`
}

export function responseOf(body: JsonValue): JsonObject | undefined {
  return isJsonObject(body) && isJsonObject(body.response) ? body.response : undefined
}

function problemOf(body: JsonValue, { uid, reviewVersion, mutates }: ExpectedReview): string | undefined {
  const response = responseOf(body)
  if (!response) return 'webhook response was absent'
  // The old version was never looked at closely.
  if (reviewVersion !== 'v1') return undefined
  if (response.uid !== uid) {
    return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(String(response.uid ?? ''))}`
  }
  const { apiVersion, kind } = body as JsonObject
  if (!apiVersion && !kind)
    return 'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind='
  return mutates ? problemOfPatch(response) : surplusPatch(response)
}

function problemOfPatch({ patch, patchType }: JsonObject): string | undefined {
  if (patch && patchType === undefined) return 'webhook returned response.patch but not response.patchType'
  if (!patch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch'
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined
}

function surplusPatch({ patch, patchType }: JsonObject): string | undefined {
  if (patch) return 'validating webhook may not return response.patch'
  return patchType === undefined ? undefined : 'validating webhook may not return response.patchType'
}
