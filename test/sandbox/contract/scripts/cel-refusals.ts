import type { JsonObject } from '../../../../src/core/base/json.ts'
import { triedKind } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const properties = {
  spec: {
    type: 'object',
    properties: {
      a: { type: 'integer' },
      s: { type: 'string', maxLength: 20 },
      long: { type: 'string' },
      l: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } },
      many: { type: 'array', items: { type: 'string' } },
      m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
      x: { 'x-kubernetes-int-or-string': true },
      u: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      'with-dash': { type: 'string', maxLength: 5 },
    },
  },
}

function refused(rule: string, more: JsonObject = {}): Step {
  const name = `${rule}${Object.keys(more).length > 0 ? ` with ${JSON.stringify(more)}` : ''}`
  const schema = { properties, 'x-kubernetes-validations': [{ rule, ...more }] }
  return { ...triedKind(name, { singular: 'refused', schema }), unordered: true }
}

const EXPRESSIONS = [
  'self.spec.nope == 1',
  'selfish.spec.a == 1',
  'self.spec.a + self.spec.s == "1"',
  'self.spec.a',
  'self.spec.s.size()',
  'self.spec.',
  'self.spec.(1)',
  'self.spec.[1]',
  'self.spec."a"',
  'self{a: 1}',
  '[1].all(i, i, true)',
  'int{a: 1}',
  'self.spec.a = 1',
  'self.spec.a == 1 &&',
  '(self.spec.a == 1',
  'self.spec.a == 1)',
  'self.spec.a == 1 2',
  '',
  '  ',
  '"abc',
  'self.spec.l.all(1, true)',
  'self.spec.l.all(x, x)',
  'self.spec.l.map(x.y, true) == []',
  'self.spec.a.all(x, true)',
  'has(self)',
  'has(self.spec["s"])',
  'self.spec.s.nope()',
  'nope(self.spec.s)',
  'self.spec.s.startsWith(1)',
  'self.spec.s.contains("a", "b")',
  'size(self.spec.a) == 1',
  'self.spec.m["a"] == "b"',
  'self.spec.m.a.b == 1',
  'self.spec.s.b == 1',
  'self.spec.l[“a”] == "b"',
  'self.spec.l["a"] == "b"',
  'self.spec.u.inner == 1',
  'self.spec.any == 1',
  'self.spec.x + 1 == 2',
  'self.spec.with-dash == "a"',
  'self.spec.with__dash__dash == "a"',
  'self.metadata.labels.size() == 0',
  'self.metadata.name == "a" && self.status.x == 1',
  '[1, "a"].size() == 2',
  '{"a": 1, "b": "c"}.size() == 2',
  '"%d".format(["a"]) == "a"',
  '"%s %s".format(["a"]) == "a"',
  '"%s".format(["a", "b"]) == "a"',
  'self.spec.s.matches("(")',
  'duration("1 hour") < duration("2h")',
  'timestamp("yesterday") < timestamp("2024-01-01T00:00:00Z")',
  '!self.spec.a',
  '-self.spec.s == "a"',
  'self.spec.a ? true : false',
  'true ? 1 : "a"',
  'self.spec.a > "a" || self.spec.b',
  'self.spec.l == self.spec.m',
  'self.spec == 1',
  'self.spec.a in self.spec.l',
  'self.spec.l + [1] == []',
  'if == 1',
  'self.spec.a == 99999999999999999999',
  'self.spec.s == "\\q"',
  'optional.of(1).value() == "1"',
  'self.?spec.?a.orValue("x") == 1',
  'cel.bind(x, 1, x == 1)',
  'math.greatest(1, 2) == 2',
  'Foo{a: 1} == 1',
  'type(self.spec.a) == integer',
  'request.user == "x"',
  'self.spec.long == self.spec.many[0]',
  'self.spec.many.all(x, self.spec.many.exists(y, x == y))',
  'self.spec.many.map(x, x + "a").size() > 0',
  'self.spec.long.contains(self.spec.long)',
  'self.spec.long.matches(self.spec.long)',
  'self.spec.many.sum() == 1',
  'self.spec.many.isSorted()',
  'self.spec.many.all(x, x.replace("a", "bb").size() > 1)',
  'self.spec.many.join("").size() > 0',
  'self.spec.l.all(x, self.spec.l.all(y, self.spec.l.all(z, x + y + z != "")))',
]

export const steps: readonly Step[] = [
  ...EXPRESSIONS.map((rule) => refused(rule)),
  refused('true', { message: '  ' }),
  refused('true', { message: 'two\nlines' }),
  refused('true\n|| false'),
  refused('true\n|| false', { message: 'lines' }),
  refused('true', { messageExpression: ' ' }),
  refused('true', { messageExpression: '1 + 1' }),
  refused('true', { messageExpression: 'self.nope' }),
  refused('true', { messageExpression: 'self.spec.many.join(",") + self.spec.long' }),
  refused('true', { reason: 'Whatever' }),
  refused('true', { reason: 'FieldValueRequired', fieldPath: '.spec.s' }),
  ...['.spec.nope', 'spec.s', '.spec.m.key', ".spec.m['a.b']", '.spec.l[0]', '.', ' ', '.spec\n'].map((fieldPath) =>
    refused('true', { fieldPath }),
  ),
  refused('true', { optionalOldSelf: true }),
  refused('oldSelf.hasValue()', { optionalOldSelf: true }),
  refused('oldSelf.hasValue()'),
  refused('self.spec.a == oldSelf.spec.a'),
  ...(['atomic', 'set', 'map'] as const).map((listType): Step => {
    const item = { type: 'object', required: ['k'], properties: { k: { type: 'string', maxLength: 5 } } }
    const items = {
      ...item,
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
    }
    const keys = listType === 'map' ? { 'x-kubernetes-list-map-keys': ['k'] } : {}
    const list = { type: 'array', maxItems: 5, 'x-kubernetes-list-type': listType, ...keys, items }
    return triedKind(`oldSelf inside of a list of type ${listType}`, {
      singular: 'refused',
      schema: { properties: { list } },
    })
  }),
  triedKind('rules where the schema is not known', {
    singular: 'refused',
    schema: {
      properties: {
        any: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] },
      },
    },
  }),
  triedKind('rules in allOf', {
    singular: 'refused',
    schema: {
      properties: { a: { type: 'integer', allOf: [{ 'x-kubernetes-validations': [{ rule: 'self > 1' }] }] } },
    },
  }),
  triedKind('a rule and another fault of the schema', {
    singular: 'refused',
    schema: {
      properties: {
        a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self.b' }] },
        b: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'string' } },
      },
    },
  }),
]
