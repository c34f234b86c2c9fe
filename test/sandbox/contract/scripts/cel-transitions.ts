import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { installed, objectBody, pathOf, removed, tried } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string', maxLength: 20 }
const int = { type: 'integer' }
const rules = (...all: readonly (string | JsonObject)[]): JsonObject => ({
  'x-kubernetes-validations': all.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
})

const keyed = { type: 'object', required: ['k'], properties: { k: text, v: { ...int, ...rules('self >= oldSelf') } } }
const schema = {
  ...rules('!has(self.spec.frozen) || !has(oldSelf.spec.frozen) || self.spec.frozen == oldSelf.spec.frozen'),
  properties: {
    spec: {
      type: 'object',
      properties: {
        fixed: { ...text, ...rules({ rule: 'self == oldSelf', message: 'cannot be changed' }) },
        frozen: text,
        grows: {
          ...int,
          ...rules({ rule: 'self >= oldSelf', messageExpression: 'oldSelf > 1 ? "was more" : "was less"' }),
        },
        first: {
          ...text,
          ...rules({ rule: 'oldSelf.hasValue() || self == "new"', optionalOldSelf: true, message: 'begins as new' }),
        },
        either: {
          ...int,
          ...rules({ rule: 'oldSelf.optMap(old, self > old).orValue(self == 0)', optionalOldSelf: true }),
        },
        list: {
          type: 'array',
          maxItems: 4,
          items: keyed,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        plain: { type: 'array', maxItems: 4, items: text, ...rules('self.size() >= oldSelf.size()') },
        map: {
          type: 'object',
          maxProperties: 4,
          additionalProperties: { ...int, ...rules('self >= oldSelf') },
        },
        object: { type: 'object', properties: { a: int, b: int }, ...rules('self.a < self.b') },
        deep: { type: 'object', properties: { in: { ...text, ...rules('self != "bad"') }, other: text } },
        items: { type: 'array', maxItems: 4, items: { ...text, ...rules('self != "bad"') } },
        unique: {
          type: 'array',
          maxItems: 4,
          items: text,
          'x-kubernetes-list-type': 'set',
          ...rules('self.all(x, x != "bad")'),
        },
        short: { type: 'string', maxLength: 3 },
        pattern: { type: 'string', pattern: '^a' },
      },
    },
    status: { type: 'object', properties: { count: { ...int, ...rules('self > 0') } } },
  },
}
const kind = { singular: 'moved', schema, version: { subresources: { status: {} } } }

/** What is stored, and what is written over it. */
const CHANGES: readonly (readonly [before: JsonObject, after: JsonObject])[] = [
  [{ fixed: 'a' }, { fixed: 'a', grows: 1 }],
  [{ fixed: 'a' }, { fixed: 'b' }],
  [{ fixed: 'a' }, {}],
  [{}, { fixed: 'a' }],
  [{ frozen: 'a' }, { frozen: 'b' }],
  [{ frozen: 'a' }, {}],
  [{ grows: 2 }, { grows: 3 }],
  [{ grows: 2 }, { grows: 1 }],
  [{ first: 'new' }, { first: 'other' }],
  [{ either: 0 }, { either: 1 }],
  [{ either: 0 }, { either: -1 }],
  [
    {
      list: [
        { k: 'a', v: 1 },
        { k: 'b', v: 5 },
      ],
    },
    {
      list: [
        { k: 'b', v: 6 },
        { k: 'a', v: 1 },
      ],
    },
  ],
  [
    {
      list: [
        { k: 'a', v: 1 },
        { k: 'b', v: 5 },
      ],
    },
    {
      list: [
        { k: 'b', v: 4 },
        { k: 'c', v: 0 },
      ],
    },
  ],
  [{ plain: ['a'] }, { plain: ['b', 'c'] }],
  [{ plain: ['a', 'b'] }, { plain: ['a'] }],
  [{ map: { a: 1, b: 2 } }, { map: { b: 3, c: 0 } }],
  [{ map: { a: 1 } }, { map: { a: 0 } }],
]

/** Fields that were stored before their rules: complaints about what does not change are forgiven. */
const FORGIVEN: readonly (readonly [name: string, patch: JsonValue])[] = [
  ['an unchanged object', { spec: { grows: 9 } }],
  ['a field of a faulty object', { spec: { object: { a: 4 } } }],
  ['a faulty object put right', { spec: { object: { b: 9 } } }],
  ['a sibling of a faulty field', { spec: { deep: { other: 'x' } } }],
  ['a faulty field written again', { spec: { deep: { in: 'bad' } } }],
  ['a longer list with faulty items', { spec: { items: ['bad', 'good'] } }],
  ['a longer set with a faulty item', { spec: { unique: ['bad', 'good'] } }],
  ['too long a text beside', { spec: { short: 'abcdef' } }],
  ['a text that does not match beside', { spec: { pattern: 'b' } }],
  ['only metadata', { metadata: { labels: { a: 'b' } } }],
]

function change([before, after]: (typeof CHANGES)[number], index: number): readonly Step[] {
  const name = `change-${index}`
  const title = `${JSON.stringify(before)} to ${JSON.stringify(after)}`
  const body = objectBody('moved', name, { spec: after })
  return [
    {
      name: `${title}: before`,
      method: 'POST',
      path: pathOf('moved'),
      body: objectBody('moved', name, { spec: before }),
    },
    {
      name: title,
      method: 'PUT',
      path: pathOf('moved', name),
      body: { ...body, metadata: { name, resourceVersion: `{${title}: before.rv}` } },
    },
  ]
}

const patched = (name: string, path: string, body: JsonValue): Step => ({
  name,
  method: 'PATCH',
  path,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
})

const loose = { properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
const old = { object: { a: 5, b: 1 }, deep: { in: 'bad' }, items: ['bad'], unique: ['bad'] }

export const steps: readonly Step[] = [
  ...installed(kind),
  ...CHANGES.flatMap(change),
  tried('a first value that is not new', 'moved', { spec: { first: 'old' } }),
  tried('a first number', 'moved', { spec: { either: 3 } }),
  patched('a status that breaks a rule', `${pathOf('moved', 'change-0')}/status`, { status: { count: 0 } }),
  patched('a status that keeps to it', `${pathOf('moved', 'change-0')}/status`, { status: { count: 2 } }),
  removed('moved'),
  ...installed({ singular: 'forgiven', schema: loose }),
  {
    name: 'an object from before the rules',
    method: 'POST',
    path: pathOf('forgiven'),
    body: objectBody('forgiven', 'old', { spec: old }),
  },
  patched(
    'rules for what is stored',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/forgivens.forgiven.{ns}.test',
    {
      spec: {
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } },
        ],
      },
    },
  ),
  {
    name: 'the rules are in force',
    method: 'POST',
    path: `${pathOf('forgiven')}?dryRun=All`,
    body: objectBody('forgiven', 'new', { spec: { deep: { in: 'bad' } } }),
    until: 422,
  },
  ...FORGIVEN.map(([name, patch]) => ({
    ...patched(name, `${pathOf('forgiven', 'old')}?dryRun=All`, patch),
    unordered: true as const,
  })),
  removed('forgiven'),
]
