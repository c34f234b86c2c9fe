import { type RuleCase, ruleTrials } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string', maxLength: 20 }
const int = { type: 'integer' }
const object = (properties: RuleCase['schema'], more: RuleCase['schema'] = {}): RuleCase['schema'] => ({
  type: 'object',
  properties,
  ...more,
})
const list = (items: RuleCase['schema'], more: RuleCase['schema'] = {}): RuleCase['schema'] => ({
  type: 'array',
  maxItems: 5,
  items,
  ...more,
})
const keyed = object({ k: text, v: int }, { required: ['k'] })

const CASES: readonly RuleCase[] = [
  {
    schema: object({ namespace: text }),
    rule: 'self.__namespace__ == "a"',
    values: [{ namespace: 'a' }, { namespace: 'b' }, {}],
  },
  {
    schema: object({ 'a-b': int, 'c.d': int, 'e/f': int }),
    rule: 'self.a__dash__b + self.c__dot__d == self.e__slash__f',
    values: [
      { 'a-b': 1, 'c.d': 2, 'e/f': 3 },
      { 'a-b': 1, 'c.d': 2, 'e/f': 4 },
    ],
  },
  {
    schema: object({ a__b: int, if: int }),
    rule: 'self.a__underscores__b == self.__if__',
    values: [
      { a__b: 1, if: 1 },
      { a__b: 1, if: 2 },
    ],
  },
  { schema: object({ a: int, b: int }), rule: 'has(self.a) != has(self.b)', values: [{ a: 1 }, { a: 1, b: 2 }, {}] },
  { schema: object({ a: { type: 'integer', default: 5 } }), rule: 'self.a == 5', values: [{}, { a: 6 }] },
  {
    schema: object({ a: { type: 'integer', nullable: true } }),
    rule: 'has(self.a) && dyn(self.a) == null',
    values: [{ a: null }, { a: 1 }, {}],
  },
  {
    schema: object({ a: { type: 'integer', nullable: true } }),
    rule: 'self.?a.orValue(7) > 6',
    values: [{ a: 7 }, {}, { a: null }],
  },
  {
    schema: { type: 'object', maxProperties: 4, additionalProperties: int },
    rule: 'self.all(k, self[k] > 0) && "a" in self',
    values: [{ a: 1 }, { a: 0 }, { b: 1 }],
  },
  {
    schema: { type: 'object', maxProperties: 4, additionalProperties: int },
    rule: 'self == {"a": 1, "b-c": 2}',
    values: [{ a: 1, 'b-c': 2 }, { a: 1 }, { a: 1, 'b-c': 3 }],
  },
  {
    schema: { type: 'object', maxProperties: 4, additionalProperties: text },
    rule: 'self.transformMap(k, v, v.size() > 1, k + v) == {"a": "abc"}',
    values: [{ a: 'bc' }, { a: 'b' }],
  },
  {
    schema: { 'x-kubernetes-int-or-string': true },
    rule: 'type(self) == int ? self > 5 : self == "50%"',
    values: [6, 5, '50%', '5'],
  },
  { schema: { 'x-kubernetes-int-or-string': true }, rule: 'self.endsWith("%")', values: ['5%', 5] },
  { schema: { 'x-kubernetes-int-or-string': true }, rule: 'self < 3', values: [2, 3, 'a'] },
  ...[
    'size(self) == 1',
    'self.charAt(0) == "a"',
    'self.matches("a")',
    'self + 1 == 2',
    '!self',
    '-self == -1',
    'self.find("a") == "a"',
    'int(self) == 1',
    'string(self) == "1"',
    'duration(self) > duration("1s")',
    'self in [1]',
    'self.isSorted()',
    'quantity(self).isInteger()',
    'self.a == 1',
    'self[0] == 1',
    'self.all(x, true)',
    'self ? true : false',
    'self || false',
    'has(self.a)',
    'ip(self).family() == 4',
    'self.lowerAscii() == "a"',
    'self == [1]',
    'self % 2 == 1',
  ].map((rule) => ({ schema: { 'x-kubernetes-int-or-string': true, maxLength: 10 }, rule, values: [1, 'a'] })),
  {
    schema: object({ a: int }, { 'x-kubernetes-preserve-unknown-fields': true }),
    rule: 'self.a == 1',
    values: [{ a: 1, other: 2 }, { other: 1 }],
  },
  {
    schema: object({ spec: object({ a: int }) }, { 'x-kubernetes-embedded-resource': true }),
    rule: 'self.kind == "Pod" && self.apiVersion == "v1" && self.metadata.name == "a" && self.spec.a == 1',
    values: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { a: 1 } },
      { apiVersion: 'v1', kind: 'Job', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'Pod' },
    ],
  },
  {
    schema: list(text, { 'x-kubernetes-list-type': 'set' }),
    rule: 'self == ["a", "b"]',
    values: [['a', 'b'], ['b', 'a'], ['a']],
  },
  {
    schema: list(text, { 'x-kubernetes-list-type': 'set' }),
    rule: 'self + ["b", "c"] == ["c", "b", "a"]',
    values: [['a', 'b'], ['b']],
  },
  {
    schema: list(text),
    rule: 'self + ["c"] == ["a", "b", "c"]',
    values: [
      ['a', 'b'],
      ['b', 'a'],
    ],
  },
  {
    schema: list(keyed, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    rule: 'self.exists_one(e, e.k == "a" && e.v > 1) && self.filter(e, has(e.v)).size() == 1',
    values: [[{ k: 'a', v: 2 }, { k: 'b' }], [{ k: 'a', v: 1 }], [{ k: 'a' }]],
  },
  {
    schema: list(keyed, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    rule: 'self == self.map(e, e)',
    values: [[{ k: 'a', v: 2 }, { k: 'b' }]],
  },
  {
    schema: list(keyed),
    rule: 'self.map(e, e.v).sum() == 3',
    values: [
      [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
      [{ k: 'a' }],
    ],
  },
  {
    schema: list(list(int)),
    rule: 'self.all(row, row.all(cell, cell > 0)) && self[0][0] == 1',
    values: [[[1, 2], [3]], [[1], [0]], [[]]],
  },
  { schema: { type: 'number' }, rule: 'self > 1.5 && self < 3', values: [2, 2.5, 1.5] },
  { schema: { type: 'number' }, rule: 'self == 2.0 || self == double(1)', values: [2, 1, 3] },
  { schema: { type: 'integer', format: 'int64' }, rule: 'self % 2 == 0 && self / 2 > -3', values: [4, 3, -6] },
  { schema: { type: 'boolean' }, rule: '!self || self == false', values: [false, true] },
  { schema: text, rule: 'size(self) == 2 && self > "a"', values: ['äö', 'ab', 'a'] },
  { schema: { type: 'string', enum: ['a', 'b'] }, rule: 'self == "a"', values: ['a', 'b', 'c'] },
  {
    schema: object({ a: object({ b: int }) }),
    rule: 'self.?a.?b.hasValue() && self.a.?b.optMap(v, v + 1).orValue(0) == 3',
    values: [{ a: { b: 2 } }, { a: {} }, {}],
  },
  { schema: object({ a: int, b: int }), rule: 'self == {"a": 1}', values: [] },
  {
    schema: object({ a: int, b: int }),
    rule: '[self.?a, self.?b].unwrapOpt() == [1]',
    values: [{ a: 1 }, { a: 1, b: 1 }],
  },
  { schema: object({ a: int, b: int }), rule: '{?"x": self.?a, "y": 1} == {"y": 1}', values: [{ b: 1 }, { a: 1 }] },
  { schema: object({ a: text }), rule: { rule: 'self.a == "x"', message: ' must be x ' }, values: [{ a: 'y' }] },
  {
    schema: object({ a: text }),
    rule: { rule: 'self.a == "x"', messageExpression: '"is " + self.a + " not x"' },
    values: [{ a: 'y' }],
  },
  {
    schema: object({ a: text }),
    rule: { rule: 'self.a == "x"', message: 'given', messageExpression: 'self.a == "z" ? "" : "two\\nlines"' },
    values: [{ a: 'y' }, { a: 'z' }],
  },
  {
    schema: object({ a: text, b: text }),
    rule: { rule: 'self.a == "x"', messageExpression: 'self.b', message: 'no b' },
    values: [{ a: 'y' }, { a: 'y', b: 'told' }],
  },
  ...['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'].map((reason) => ({
    schema: object({ a: text }),
    rule: { rule: 'self.a == "x"', reason, fieldPath: '.a', message: 'why' },
    values: [{ a: 'y' }],
  })),
  { schema: text, rule: { rule: 'self == "x"', reason: 'FieldValueDuplicate' }, values: ['y'] },
  {
    schema: { type: 'object', maxProperties: 3, additionalProperties: text },
    rule: { rule: 'self.a == "x"', fieldPath: "['a.b']" },
    values: [{ a: 'y' }, {}],
  },
  { schema: list(int), rule: 'self[2] == 3 || self[1] == 1', values: [[1, 2, 3], [0, 1], [1]] },
  { schema: list(int), rule: 'self.exists(x, 10 / x == 5)', values: [[0, 2], [0, 1], []] },
  { schema: list(int), rule: 'self.all(x, 10 / x > 1)', values: [[0, 20], [1, 0], [1]] },
]

export const steps: readonly Step[] = ruleTrials(
  'typed',
  CASES.filter(({ values }) => values.length > 0),
)
