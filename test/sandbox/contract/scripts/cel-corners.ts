import { type RuleCase, ruleTrials } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

/** What is seldom written, each shown by the message of a rule that nothing keeps to. */
const text = { type: 'string', maxLength: 20 }

const SHOWN = [
  'string(bool("false"))',
  'string(bool("F"))',
  'string([[[1]], [[2]]].flatten(2).size())',
  'string([[[1]], [[2]]].flatten(0).size())',
  'string("abcabc".lastIndexOf("a", 2))',
  'string("abcabc".lastIndexOf("a", 3))',
  'string("abc".lastIndexOf("a", 99))',
  'string("abc".lastIndexOf("", 99))',
  'url("/a").getScheme()',
  'url("/a").getHost()',
  'url("/a").getEscapedPath()',
  'url("file:/a").getHost()',
  'string(format.uri().validate("https://a/b").hasValue())',
  'format.uri().validate("a b").value()[0]',
  'string(optional.of({"a": 1})["b"].hasValue())',
  'string(optional.of({"a": 1})["a"].value())',
  'string(optional.of(dyn(1)).?a.hasValue())',
  'string(optional.of({"a": 1}).?b.hasValue())',
  'string(optional.of(dyn(1)).a.hasValue())',
]

const FAILING: readonly RuleCase[] = [
  { schema: text, rule: 'bool(self)', values: ['x', 't', '0'] },
  { schema: text, rule: 'duration(self) > duration("1h")', values: ['9999999h', '-9999999h', '2h'] },
  { schema: text, rule: '[dyn(self), dyn(1)].max() == 1', values: ['a'] },
  { schema: text, rule: '[dyn(self), dyn(1)].isSorted()', values: ['a'] },
  { schema: text, rule: '[dyn(self), dyn(b"a")].isSorted()', values: ['a'] },
]

const keyed = {
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: text, v: { type: 'integer' } } },
}
const both = { type: 'object', properties: { a: keyed, b: keyed } }
const lists = { a: [{ k: 'x', v: 1 }, { k: 'y' }], b: [{ k: 'z' }, { k: 'x', v: 2 }] }

const MERGED: readonly RuleCase[] = [
  { schema: both, rule: '(dyn(self.a) + dyn(self.b)).size() == 3', values: [lists, { a: lists.a, b: lists.a }] },
  { schema: both, rule: '(dyn(self.a) + dyn(self.b)).map(x, x.k) == ["x", "y", "z"]', values: [lists] },
  { schema: both, rule: '(dyn(self.a) + dyn(self.b))[0].v == 2', values: [lists] },
  { schema: both, rule: '(self.a + dyn([{"k": "z"}])).size() == 3', values: [lists] },
  { schema: both, rule: '(self.a + dyn([{"k": "x"}])).size() == 2', values: [lists] },
  { schema: both, rule: '(self.a + dyn([{"v": 1}])).size() == 2', values: [lists] },
  { schema: both, rule: '(self.a + dyn([1])).size() == 3', values: [lists] },
]

const SIZED = { 'x-kubernetes-int-or-string': true }
const numbers: readonly RuleCase[] = [{ schema: SIZED, rule: '(self + self).size() > 3', values: ['ab', 'a', 1] }]

export const steps: readonly Step[] = ruleTrials('corner', [
  ...SHOWN.map((messageExpression) => ({ schema: text, rule: { rule: 'false', messageExpression }, values: ['x'] })),
  ...FAILING,
  ...MERGED,
  ...numbers,
])
