import type { JsonObject } from '../../core/base/json.ts'

function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', additionalProperties: false, properties, required }
}

const TEXT: JsonObject = { type: 'string', minLength: 1 }
const WRITTEN: JsonObject = {
  type: 'string',
  pattern: '^[A-Z][A-Za-z0-9]*(/[a-z]+)?$',
  explain: 'must be a kind such as Deployment, or one with its subresource such as Memcached/status',
}

/** Names an object. All fields beside the name are fields that the object must have. */
const NAMED: JsonObject = {
  type: 'object',
  properties: { apiVersion: TEXT, kind: TEXT, name: TEXT, namespace: TEXT },
  required: ['kind', 'name'],
}

const IS_EVENT: JsonObject = { properties: { kind: { const: 'Event' } } }

/** A text, or what it must look like. */
const NAME_OR_MATCHER: JsonObject = { anyOf: [TEXT, closed({ matches: TEXT }, ['matches'])] }
const LABELS: JsonObject = { type: 'object', minProperties: 1 }

/** What finds objects in `expect` and `absent`. An Event may be found by its reason: its name is made up by its sender. */
const SEARCH: JsonObject = { apiVersion: TEXT, kind: TEXT, name: NAME_OR_MATCHER, namespace: TEXT, labels: LABELS }

function foundBy(...keys: readonly string[]): JsonObject {
  return { anyOf: keys.map((key) => ({ required: [key] })) }
}

const ANY_SEARCH: readonly JsonObject[] = [
  { if: IS_EVENT, else: foundBy('name', 'labels') },
  { if: { not: IS_EVENT }, else: foundBy('name', 'labels', 'reason') },
]

const EXPECTED: JsonObject = { type: 'object', properties: SEARCH, required: ['kind'], allOf: ANY_SEARCH }

const ABSENT: JsonObject = {
  ...closed({ ...SEARCH, reason: TEXT }, ['kind']),
  allOf: [
    ...ANY_SEARCH,
    { if: IS_EVENT, else: { properties: { reason: { not: {}, explain: 'only Events are found by a reason' } } } },
  ],
}

const REFERENCE: JsonObject = closed({ apiVersion: TEXT, kind: TEXT, name: TEXT, namespace: TEXT }, ['kind', 'name'])

const VERBS: JsonObject = { enum: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] }
const FAULT: JsonObject = {
  ...closed({
    verb: VERBS,
    apiVersion: TEXT,
    kind: TEXT,
    code: { type: 'integer', minimum: 400, maximum: 599 },
    drop: { enum: ['before', 'after'] },
    times: { type: 'integer', minimum: 1 },
  }),
  oneOf: [{ required: ['code'] }, { required: ['drop'] }],
}

function oneOrMore(item: JsonObject): JsonObject {
  return { anyOf: [{ type: 'array', minItems: 1, items: item }, item] }
}

const STEP: JsonObject = {
  ...closed({
    name: { description: 'What reports call the step.', ...TEXT },
    patch: {
      description: 'What stands beside the name is merged into the object, as another client does it.',
      ...NAMED,
    },
    create: { description: 'An object, or a list of them, with their status.', ...oneOrMore({ type: 'object' }) },
    delete: { description: 'An object, or a list of them, by name.', ...oneOrMore(REFERENCE) },
    refused: {
      description: 'The server refuses the `patch`, `create` or `delete`, with a message in which `matches` is found.',
      ...closed({ matches: TEXT }, ['matches']),
    },
    advance: { description: 'How much time passes, such as `30s`, `10m` or `10h`.', ...TEXT },
    fail: {
      description: 'Requests of the operator that fail from now on. An empty list: none does any more.',
      anyOf: [{ type: 'array', items: FAULT }, FAULT],
    },
    restart: {
      description:
        'The operator ends, and another one starts: it is asked to `stop`, or its process is gone by a `crash`.',
      enum: ['stop', 'crash'],
    },
    wait: {
      description:
        'How much time passes after the action, such as `0s` or `300ms`, in place of waiting until it is quiet.',
      ...TEXT,
    },
    expect: {
      description: 'Objects, with what they must have at least.',
      type: 'array',
      minItems: 1,
      items: EXPECTED,
    },
    absent: { description: 'Objects that must not be there.', type: 'array', minItems: 1, items: ABSENT },
    writes: {
      description: 'How often the operator has written in the step, by `Kind` or `Kind/status`: exactly this.',
      type: 'object',
      propertyNames: WRITTEN,
      additionalProperties: { type: 'integer', minimum: 0 },
    },
    leaks: {
      description:
        'Where values of Secrets can be read, of statuses, Events and the log of the operator: `[]`, nowhere.',
      type: 'array',
      maxItems: 0,
    },
  }),
  minProperties: 1,
}

/** What a file of `roles/<role>/tests/` may hold; `parseTest` checks what a schema cannot say. */
export const TEST_SCHEMA: JsonObject = closed(
  {
    given: {
      description: 'What exists before the operator starts: objects, or paths of files, relative to this one.',
      type: 'array',
      items: { type: ['string', 'object'] },
    },
    workloads: {
      description: 'Whether controllers of workloads are simulated: `true` by default.',
      type: 'boolean',
    },
    steps: { description: 'What happens, one after the other.', type: 'array', minItems: 1, items: STEP },
  },
  ['steps'],
)
