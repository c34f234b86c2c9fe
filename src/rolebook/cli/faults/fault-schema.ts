import type { JsonObject } from '../../../core/base/json.ts'

const DURATION: JsonObject = { type: 'string' }
const COUNT: JsonObject = { type: 'integer', minimum: 1 }
const FRAMES: JsonObject = { type: 'integer', minimum: 0 }

function closed(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', additionalProperties: false, properties, ...more }
}

const VERBS: JsonObject = { enum: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] }

const WHEN = closed({
  verbs: { type: 'array', minItems: 1, items: VERBS },
  group: { type: 'string' },
  resource: {
    type: 'string',
    pattern: '^[a-z0-9][-a-z0-9.]*$',
    explain: 'must be the plural of a resource such as deployments; subresources have a key of their own',
  },
  subresource: { type: 'string' },
  namespace: { type: 'string' },
  name: { type: 'string' },
  userAgent: { type: 'string', minLength: 1 },
  matches: { type: 'array', minItems: 1, items: COUNT },
  every: COUNT,
  first: COUNT,
  probability: { type: 'number', minimum: 0, maximum: 1 },
})

const REPLY = closed(
  {
    code: { type: 'integer', minimum: 400, maximum: 599 },
    reason: { type: 'string' },
    message: { type: 'string' },
    details: { type: 'object' },
    retryAfter: { type: 'integer', minimum: 0 },
  },
  { required: ['code'] },
)

const WATCH = closed(
  {
    closeAfter: FRAMES,
    freezeAfter: FRAMES,
    expireAfter: FRAMES,
    suppressBookmarks: { type: 'boolean' },
    duplicateEvery: COUNT,
    swapEvery: COUNT,
    delay: DURATION,
  },
  { minProperties: 1 },
)

const DO = closed(
  {
    latency: DURATION,
    reply: REPLY,
    drop: { enum: ['before', 'after'] },
    truncate: FRAMES,
    stall: { enum: ['before', 'after'] },
    expire: { const: true },
    watch: WATCH,
  },
  { minProperties: 1 },
)

/** What a file of `--faults` may hold; `parseFaults` checks what a schema cannot say. */
export const FAULTS_SCHEMA: JsonObject = closed(
  {
    seed: { type: 'integer', minimum: 0 },
    rules: {
      type: 'array',
      items: closed({ name: { type: 'string' }, when: WHEN, do: DO }, { required: ['do'] }),
    },
  },
  { required: ['rules'] },
)
