import type { JsonObject } from '../base/json.ts'

function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', additionalProperties: false, properties, required }
}

const TEXT: JsonObject = { type: 'string', minLength: 1 }
const WRITTEN: JsonObject = {
  type: 'string',
  pattern: '^[A-Z][A-Za-z0-9]*(/[a-z]+)?$',
  explain: 'must be a kind such as Deployment, or one with its subresource such as Memcached/status',
}

/** An object by its name; whatever else stands beside it is what it is to have. */
const NAMED: JsonObject = {
  type: 'object',
  properties: { apiVersion: TEXT, kind: TEXT, name: TEXT, namespace: TEXT },
  required: ['kind', 'name'],
}

const REFERENCE: JsonObject = closed({ apiVersion: TEXT, kind: TEXT, name: TEXT, namespace: TEXT }, ['kind', 'name'])

const VERBS: JsonObject = { enum: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] }
const FAULT: JsonObject = closed(
  {
    verb: VERBS,
    apiVersion: TEXT,
    kind: TEXT,
    code: { type: 'integer', minimum: 400, maximum: 599 },
    times: { type: 'integer', minimum: 1 },
  },
  ['code'],
)

function oneOrMore(item: JsonObject): JsonObject {
  return { anyOf: [{ type: 'array', minItems: 1, items: item }, item] }
}

const STEP: JsonObject = {
  ...closed({
    name: TEXT,
    patch: NAMED,
    create: oneOrMore({ type: 'object' }),
    delete: oneOrMore(REFERENCE),
    advance: TEXT,
    fail: oneOrMore(FAULT),
    expect: { type: 'array', minItems: 1, items: NAMED },
    absent: { type: 'array', minItems: 1, items: REFERENCE },
    writes: { type: 'object', propertyNames: WRITTEN, additionalProperties: { type: 'integer', minimum: 0 } },
  }),
  minProperties: 1,
}

/** What a file of `roles/<role>/tests/` may hold; `parseTest` checks what a schema cannot say. */
export const TEST_SCHEMA: JsonObject = closed(
  {
    given: { type: 'array', items: { type: ['string', 'object'] } },
    workloads: { type: 'boolean' },
    steps: { type: 'array', minItems: 1, items: STEP },
  },
  ['steps'],
)
