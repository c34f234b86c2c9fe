import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import type { WebhookAnswer } from './webhook-answers.ts'

/** `v2` has the length as a text, where `v1` has the size as a number. */
function convert(object: JsonObject, apiVersion: string): JsonObject {
  const { size, length, ...spec } = isJsonObject(object.spec) ? object.spec : {}
  const measured = apiVersion.endsWith('/v2')
    ? size !== undefined && { length: String(size) }
    : length !== undefined && { size: Number(length) }
  return { ...object, apiVersion, ...(object.spec !== undefined && { spec: { ...spec, ...measured } }) }
}

const SUCCESS = { status: 'Success' }

function converted({ objects, desiredAPIVersion }: JsonObject): readonly JsonObject[] {
  const given = isJsonArray(objects) ? objects.filter(isJsonObject) : []
  return given.map((object) => convert(object, String(desiredAPIVersion)))
}

/** An answer whose objects are those of a good one, changed. */
function changing(change: (object: JsonObject) => JsonValue): WebhookAnswer {
  return { response: (request) => ({ result: SUCCESS, convertedObjects: converted(request).map(change) }) }
}

const withMetadata = (change: JsonObject): WebhookAnswer =>
  changing((object) => ({ ...object, metadata: { ...(object.metadata as JsonObject), ...change } }))

/** Answers of webhooks that convert; each is asked by its name. */
export const CONVERSION_ANSWERS: Readonly<Record<string, WebhookAnswer>> = {
  convert: changing((object) => object),
  'convert-asked': {
    response: ({ uid: _, ...request }) => ({ result: { status: 'Failed', message: JSON.stringify(sorted(request)) } }),
  },
  'convert-wrong-uid': {
    response: (request) => ({ uid: 'x', result: SUCCESS, convertedObjects: [...converted(request)] }),
  },
  'convert-no-response': {},
  'convert-no-result': { response: (request) => ({ convertedObjects: [...converted(request)] }) },
  'convert-failed': { response: { result: { status: 'Failed', message: 'cannot be converted' } } },
  'convert-failed-silently': { response: { result: { status: 'Failed' } } },
  'convert-none': { response: { result: SUCCESS, convertedObjects: [] } },
  'convert-twice': {
    response: (request) => ({ result: SUCCESS, convertedObjects: [...converted(request), ...converted(request)] }),
  },
  'convert-to-text': changing(() => 'text'),
  'convert-to-nothing': changing(() => ({})),
  'convert-not': { response: ({ objects }) => ({ result: SUCCESS, convertedObjects: objects ?? [] }) },
  'convert-kind': changing((object) => ({ ...object, kind: 'Other' })),
  'convert-name': withMetadata({ name: 'other' }),
  'convert-namespace': withMetadata({ namespace: 'other' }),
  'convert-object-uid': withMetadata({ uid: 'other' }),
  'convert-finalizers': withMetadata({ finalizers: ['a.b/c'], generation: 77, ownerReferences: null }),
  'convert-labels': withMetadata({ labels: { converted: 'yes' }, annotations: { converted: 'yes' } }),
  'convert-bad-labels': withMetadata({ labels: { 'a b': 'c d' } }),
  'convert-bad-annotations': withMetadata({ annotations: { 'a b': 'c d' } }),
  'convert-number-labels': withMetadata({ labels: { a: 1 } }),
  'convert-list-labels': withMetadata({ labels: [] }),
  'convert-no-metadata': changing(({ metadata: _, ...object }) => object),
  'convert-list-metadata': changing((object) => ({ ...object, metadata: [] })),
  'convert-unknown': changing((object) => ({ ...object, more: 1 })),
  'convert-wrong-kind': {
    review: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' },
    response: (request) => ({ result: SUCCESS, convertedObjects: [...converted(request)] }),
  },
  'convert-old-version': {
    review: { apiVersion: 'apiextensions.k8s.io/v1beta1' },
    response: (request) => ({ result: SUCCESS, convertedObjects: [...converted(request)] }),
  },
  'convert-no-kind': {
    review: { kind: undefined, apiVersion: undefined },
    response: (request) => ({ result: SUCCESS, convertedObjects: [...converted(request)] }),
  },
  'convert-wrong-type': { response: { result: SUCCESS, convertedObjects: 'text' } },
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, field]) => [key, sorted(field ?? null)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}
