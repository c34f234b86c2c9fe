import { type RuleCase, ruleTrials } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string', maxLength: 30 }
const int = { type: 'integer' }
const number = { type: 'number' }
const texts = { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } }
const ints = { type: 'array', maxItems: 5, items: { type: 'integer' } }

const CASES: readonly RuleCase[] = [
  { schema: ints, rule: 'self.isSorted()', values: [[1, 2, 2], [2, 1], []] },
  { schema: ints, rule: 'self.sum() == 6', values: [[1, 2, 3], [1]] },
  { schema: ints, rule: 'self.max() - self.min() < 5', values: [[1, 2], [1, 9], []] },
  { schema: texts, rule: 'self.indexOf("b") == 1 && self.lastIndexOf("b") == 2', values: [['a', 'b', 'b'], ['b']] },
  { schema: text, rule: 'self.find("[0-9]+") == "12"', values: ['a12b3', 'abc'] },
  { schema: text, rule: 'self.findAll("[0-9]+") == ["1", "22"]', values: ['a1b22', 'a1'] },
  { schema: text, rule: 'self.findAll("[0-9]+", 1).size() == 1', values: ['a1b22', 'a'] },
  { schema: text, rule: 'self.matches("^a+$")', values: ['aaa', 'ab'] },
  { schema: text, rule: 'self.matches("[")', values: [] },
  {
    schema: text,
    rule: 'isURL(self) && url(self).getHostname() == "h.io"',
    values: ['https://h.io:80/x', 'h.io', 'http://i'],
  },
  {
    schema: text,
    rule: 'url(self).getPort() == "80" && url(self).getEscapedPath() == "/a b"',
    values: ['http://h:80/a%20b', ''],
  },
  {
    schema: text,
    rule: 'url(self).getQuery()["q"] == ["1"] && url(self).getScheme() == "https"',
    values: ['https://h?q=1', 'https://h'],
  },
  {
    schema: text,
    rule: 'isQuantity(self) && quantity(self).isGreaterThan(quantity("1Gi"))',
    values: ['2Gi', '1024Mi', 'x'],
  },
  {
    schema: text,
    rule: 'quantity(self).add(1).sub(quantity("500m")).compareTo(quantity("1500m")) == 0',
    values: ['1', '2', 'abc'],
  },
  {
    schema: text,
    rule: 'quantity(self).isInteger() && quantity(self).asInteger() == 2048',
    values: ['2Ki', '1', '1.5'],
  },
  { schema: text, rule: 'quantity(self).asApproximateFloat() < 0.2', values: ['100m', '300m'] },
  { schema: text, rule: 'isIP(self) && ip(self).family() == 4', values: ['10.0.0.1', '::1', '300.1.1.1'] },
  {
    schema: text,
    rule: 'ip(self).isLoopback() || ip(self).isLinkLocalUnicast()',
    values: ['127.0.0.1', '169.254.1.1', '8.8.8.8', 'x'],
  },
  { schema: text, rule: 'ip.isCanonical(self)', values: ['2001:db8::1', '2001:DB8::1', '::ffff:1.2.3.4'] },
  {
    schema: text,
    rule: 'ip(self).isGlobalUnicast() && string(ip(self)) == self',
    values: ['2001:db8::1', 'fe80::1', '0.0.0.0'],
  },
  {
    schema: text,
    rule: 'isCIDR(self) && cidr(self).containsIP("10.1.2.3")',
    values: ['10.0.0.0/8', '11.0.0.0/8', '10.0.0.0'],
  },
  {
    schema: text,
    rule: 'cidr(self).containsCIDR("10.0.1.0/24") && cidr(self).prefixLength() <= 16',
    values: ['10.0.0.0/16', '10.0.1.0/24', '10/8'],
  },
  {
    schema: text,
    rule: 'string(cidr(self).masked()) == "10.1.0.0/16" && !(cidr(self).ip() == ip("10.1.0.0"))',
    values: ['10.1.2.3/16', '10.1.0.0/16'],
  },
  { schema: text, rule: '!format.dns1123Label().validate(self).hasValue()', values: ['abc', 'A.b'] },
  {
    schema: text,
    rule: {
      rule: 'format.named("uuid").value().validate(self).orValue([]).size() == 0',
      messageExpression: '"not a UUID: " + self',
    },
    values: ['not a uuid'],
  },
  {
    schema: text,
    rule: {
      rule: '!format.labelValue().validate(self).hasValue()',
      messageExpression: 'format.labelValue().validate(self).value()[0]',
    },
    values: ['ok', '-no-'],
  },
  {
    schema: text,
    rule: 'isSemver(self) && semver(self).isLessThan(semver("1.0.0"))',
    values: ['0.9.1', '1.0.0-rc.1', '1.0.0', 'v1'],
  },
  {
    schema: text,
    rule: 'semver(self, true).major() == 1 && semver(self, true).compareTo(semver("1.2.0")) >= 0',
    values: ['v1.2', '1.1', 'x'],
  },
  { schema: text, rule: 'semver(self).patch() == 3', values: ['1.2.3', '1.2.03', '1.2'] },
  {
    schema: texts,
    rule: 'sets.contains(self, ["a"]) && sets.equivalent(self, ["a", "b"])',
    values: [['b', 'a', 'a'], ['a']],
  },
  { schema: ints, rule: 'sets.intersects(self, [1, 2])', values: [[2, 9], [3]] },
  { schema: texts, rule: 'self.all(i, v, v == string(i))', values: [['0', '1'], ['1']] },
  { schema: ints, rule: 'self.transformList(i, v, i > 0, v * 2) == [4]', values: [[9, 2], [9]] },
  { schema: ints, rule: 'self.transformMap(i, v, v)[1] == 5', values: [[1, 5], [1]] },
  {
    schema: texts,
    rule: 'self.transformMapEntry(i, v, {v: i})["b"] == 1',
    values: [
      ['a', 'b'],
      ['b', 'b'],
    ],
  },
  { schema: ints, rule: 'self.exists(i, v, i == v) && self.existsOne(i, v, v == 7)', values: [[0, 7], [0, 7, 7], [5]] },
  { schema: text, rule: 'self.charAt(1) == "b" && self.indexOf("c") == 2', values: ['abc', 'a', ''] },
  {
    schema: text,
    rule: '"%s has %d of %.1f".format([self, size(self), 1.25]) == "ab has 2 of 1.2"',
    values: ['ab', 'abc'],
  },
  { schema: texts, rule: 'self.join("-") == "a-b" && self.join() == "ab"', values: [['a', 'b'], ['a']] },
  { schema: text, rule: 'self.split(",") == ["a", "b"] && self.split(",", 1) == [self]', values: ['a,b', 'a'] },
  { schema: text, rule: 'self.lowerAscii() == "äbc" && self.upperAscii() == "äBC"', values: ['äBc', 'ÄBC'] },
  {
    schema: text,
    rule: 'self.replace("a", "b").trim() == "bb" && self.replace("a", "b", 1) != "bb"',
    values: [' aa ', 'aa', 'a'],
  },
  { schema: text, rule: 'self.substring(1, 3) == "bc" && self.lastIndexOf("c") == 2', values: ['abc', 'ab', 'abd'] },
  { schema: text, rule: 'strings.quote(self) == "\\"a\\\\nb\\""', values: ['a\nb', 'ab'] },
  {
    schema: texts,
    rule: 'self.sort() == ["a", "b"] && self.reverse()[0] == "a"',
    values: [
      ['b', 'a'],
      ['a', 'b'],
    ],
  },
  { schema: ints, rule: 'self.distinct().size() == 2 && self.slice(0, 1) == [1]', values: [[1, 2, 1], [2, 1], [1]] },
  { schema: int, rule: 'self in lists.range(3) && [[1], [2]].flatten() == [1, 2]', values: [2, 3] },
  { schema: ints, rule: 'self.first().orValue(0) == 1 && self.last().value() == 2', values: [[1, 2], [1], []] },
  { schema: number, rule: 'int(self) == 2 && double(string(self)) == self', values: [2.5, 3.5] },
  { schema: number, rule: 'string(self) == "1e+06" || uint(self) == 3u', values: [1000000, 3.2, -1] },
  { schema: int, rule: '10 / self == 5 && 10 % self == 0', values: [2, 3, 0] },
  { schema: int, rule: 'self + 9223372036854775807 > 0', values: [0, 1] },
  {
    schema: { type: 'string', format: 'date-time' },
    rule: 'self.getFullYear() == 2024 && self > timestamp("2024-01-01T00:00:00Z")',
    values: ['2024-05-06T07:08:09Z', '2023-05-06T07:08:09Z'],
  },
  {
    schema: { type: 'string', format: 'date-time' },
    rule: 'self.getHours("America/New_York") == 3 && self.getDayOfWeek() == 1 && self.getMonth() == 4',
    values: ['2024-05-06T07:08:09Z', '2024-05-06T08:08:09Z'],
  },
  {
    schema: { type: 'string', format: 'duration' },
    rule: 'self.getMinutes() == 90 && self < duration("2h")',
    values: ['1h30m', '2h'],
  },
  {
    schema: { type: 'string', format: 'date' },
    rule: 'self.getDayOfYear() == 59 && string(self) == "2024-02-29T00:00:00Z"',
    values: ['2024-02-29', '2024-03-01'],
  },
  { schema: { type: 'string', format: 'byte' }, rule: 'size(self) == 2 && self == b"hi"', values: ['aGk=', 'aGlo'] },
]

export const steps: readonly Step[] = ruleTrials(
  'library',
  CASES.filter(({ values }) => values.length > 0),
)
