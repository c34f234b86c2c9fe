import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/base/json.ts'

/** What a webhook says; it is asked by the name of the answer, which is the path of its URL. */
export interface WebhookAnswer {
  /** Of the AdmissionReview; its uid is filled in, when it has none of its own. */
  readonly response?: JsonObject | ((request: JsonObject) => JsonObject)
  /** Of the review, instead of those it came with. */
  readonly review?: JsonObject
  /** Instead of a review. */
  readonly text?: string
  readonly contentType?: string
  readonly status?: number
  /** The connection is closed without a word, or nothing ever comes. */
  readonly instead?: 'close' | 'nothing'
}

const deny = (status?: JsonObject): WebhookAnswer => ({ response: { allowed: false, ...(status && { status }) } })
const patch = (...operations: readonly JsonObject[]): WebhookAnswer => ({ response: patching(operations) })
const text = (status: number, body: string, contentType = 'application/json'): WebhookAnswer => ({
  status,
  text: body,
  contentType,
})

function patching(operations: JsonValue): JsonObject {
  return { allowed: true, patchType: 'JSONPatch', patch: encode(JSON.stringify(operations)) }
}

function encode(plain: string): string {
  return Buffer.from(plain).toString('base64')
}

export const WEBHOOK_ANSWERS: Readonly<Record<string, WebhookAnswer>> = {
  allow: { response: { allowed: true } },
  // What the webhook was asked, in an order of ours.
  review: { response: (request) => ({ allowed: false, status: { message: JSON.stringify(shown(request)) } }) },
  'allow-with-status': { response: { allowed: true, status: { message: 'fine', code: 403, reason: 'Forbidden' } } },
  'allow-with-audit': { response: { allowed: true, auditAnnotations: { key: 'value' } } },
  'deny-silently': deny(),
  'deny-emptily': deny({}),
  'deny-with-message': deny({ message: 'not today' }),
  'deny-with-reason': deny({ reason: 'Conflict' }),
  'deny-with-code': deny({ message: 'gone', code: 410, reason: 'Gone' }),
  'deny-with-200': deny({ message: 'odd', code: 200, status: 'Success' }),
  'deny-with-500': deny({ message: 'broken', code: 500, reason: 'InternalError' }),
  'deny-with-metadata': deny({ metadata: { resourceVersion: '7', continue: 'x' }, message: 'm' }),
  'deny-with-details': deny({
    message: 'see details',
    code: 422,
    reason: 'Invalid',
    details: {
      name: 'n',
      group: 'g',
      kind: 'k',
      uid: 'u',
      retryAfterSeconds: 3,
      causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.a' }],
    },
  }),
  'deny-with-audit': { response: { allowed: false, auditAnnotations: { key: 'value' } } },
  'deny-and-warn': { response: { allowed: false, warnings: ['careful'], status: { message: 'no' } } },
  warn: { response: { allowed: true, warnings: ['careful'] } },
  'warn-often': { response: { allowed: true, warnings: ['one', 'two', 'one'] } },
  'warn-oddly': {
    response: { allowed: true, warnings: ['a "quoted" one', 'zwei Wörter', '', 'two\nlines', 'back\\slash'] },
  },
  'warn-at-length': { response: { allowed: true, warnings: ['x'.repeat(300), 'y'.repeat(5000)] } },
  'no-response': {},
  'wrong-uid': { response: { uid: 'another', allowed: true } },
  'no-uid': { response: { uid: '', allowed: true } },
  'wrong-kind': { review: { kind: 'Pod', apiVersion: 'v1' }, response: { allowed: true } },
  'wrong-version': { review: { apiVersion: 'admission.k8s.io/v2' }, response: { allowed: true } },
  'old-version': { review: { apiVersion: 'admission.k8s.io/v1beta1' }, response: { allowed: true } },
  'no-kind': { review: { kind: undefined, apiVersion: undefined }, response: { allowed: true } },
  'wrong-type': { response: { allowed: 'yes' } },
  'wrong-patch-text': { response: { allowed: true, patchType: 'JSONPatch', patch: 'no base64!' } },
  'unknown-fields': { review: { more: 1 }, response: { allowed: true, more: 1 } },
  'no-json': text(200, 'what?'),
  'no-json-type': text(200, 'what?', 'text/plain'),
  nothing: text(200, ''),
  'a-list': text(200, '[]'),
  'an-empty-object': text(200, '{}'),
  'code-500': text(500, 'broken'),
  'code-500-empty': text(500, ''),
  'code-500-text': text(500, ' broken "so" ', 'text/plain; charset=utf-8'),
  'code-403-text': text(403, 'go away', 'text/plain'),
  'code-409': text(409, '{}'),
  'code-418': text(418, '{}'),
  'code-503': text(503, '{}'),
  'code-404': text(404, 'where?', 'text/plain'),
  'code-403-status': text(
    403,
    JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'go away',
      reason: 'Forbidden',
      code: 403,
    }),
  ),
  'code-201': { status: 201, response: { allowed: true } },
  'code-302': text(302, ''),
  'code-429': text(429, 'slow', 'text/plain'),
  close: { instead: 'close' },
  never: { instead: 'nothing' },
  'patch-label': patch({ op: 'add', path: '/metadata/labels/added', value: 'yes' }),
  'patch-data': patch({ op: 'add', path: '/data/added', value: 'yes' }),
  'patch-nothing': patch(),
  'patch-same': patch({ op: 'replace', path: '/data/size', value: '1' }),
  'patch-test': patch({ op: 'test', path: '/data/size', value: 'other' }, { op: 'remove', path: '/data/size' }),
  'patch-no-path': patch({ op: 'add', path: '/nothing/here', value: 1 }),
  'patch-replace-nowhere': patch({ op: 'replace', path: '/nothing/here', value: 1 }),
  'patch-move-nowhere': patch({ op: 'move', from: '/nothing/here', path: '/data/a' }),
  'patch-copy-nowhere': patch({ op: 'copy', from: '/data/size', path: '/nothing/here' }),
  'patch-test-nowhere': patch({ op: 'test', path: '/nothing/here', value: 1 }),
  'patch-no-item': patch({ op: 'remove', path: '/metadata/managedFields/7' }),
  'patch-missing': patch({ op: 'remove', path: '/data/missing' }),
  'patch-name': patch({ op: 'replace', path: '/metadata/name', value: 'renamed' }),
  'patch-wrongly': patch({ op: 'add', path: '/data/number', value: 1 }),
  'patch-invalidly': patch({ op: 'add', path: '/data/not a key', value: 'x' }),
  'patch-unknown': patch({ op: 'add', path: '/unknown', value: 'x' }),
  'patch-replicas': patch({ op: 'add', path: '/spec/replicas', value: 7 }),
  'patch-sidecar': patch({
    op: 'add',
    path: '/spec/template/spec/containers/-',
    value: { name: 'side', image: 'side:1' },
  }),
  'patch-no-json': { response: { allowed: true, patchType: 'JSONPatch', patch: encode('what?') } },
  'patch-no-list': { response: patching({ op: 'add' }) },
  'patch-without-type': { response: { allowed: true, patch: encode('[]') } },
  'patch-type-alone': { response: { allowed: true, patchType: 'JSONPatch' } },
  'patch-of-no-type': { response: { ...patching([]), patchType: '' } },
  'patch-of-other-type': {
    response: { ...patching([{ op: 'add', path: '/data/a', value: 'b' }]), patchType: 'MergePatch' },
  },
  'patch-and-deny': {
    response: { ...patching([{ op: 'add', path: '/data/a', value: 'b' }]), allowed: false },
  },
  // Each call leaves a letter more: how often, and in which order, webhooks were called.
  'append-a': { response: (request) => appending(request, 'a') },
  'append-b': { response: (request) => appending(request, 'b') },
  'append-c': { response: (request) => appending(request, 'c') },
}

function appending({ object }: JsonObject, letter: string): JsonObject {
  const data = isJsonObject(object) && isJsonObject(object.data) ? object.data : {}
  return patching([{ op: 'add', path: '/data/calls', value: `${data.calls ?? ''}${letter}` }])
}

/** Who asks is shown only where a script has chosen it. */
function shown({ uid: _, userInfo, ...request }: JsonObject): JsonValue {
  const user = isJsonObject(userInfo) && String(userInfo.username).startsWith('chosen-') ? userInfo : undefined
  return sorted({ ...request, ...(user && { userInfo: user }) })
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, field]) => [key, sorted(field ?? null)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}
