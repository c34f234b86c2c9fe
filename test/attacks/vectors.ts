import { BOUNDS_CASES } from '../engine/expression/hostile-cases/bounds.ts'
import { INERT_CASES } from '../engine/expression/hostile-cases/inert.ts'
import { REFUSED_CASES } from '../engine/expression/hostile-cases/refused.ts'
import { RESULTS_CASES } from '../engine/expression/hostile-cases/results.ts'
import { TYPES_CASES } from '../engine/expression/hostile-cases/types.ts'
import { UNKNOWN_CASES } from '../engine/expression/hostile-cases/unknown.ts'

/** What has broken JSONata, or a program that evaluated it: each later one is added here. */
const KNOWN: readonly string[] = [
  // CVE-2024-27307: transforms and bindings that reach the prototype of all objects.
  '$ ~> |$|{"__proto__": {"polluted": true}}|',
  '$ ~> |__proto__|{"polluted": true}|',
  '$ ~> |constructor.prototype|{"polluted": true}|',
  '({"a": 1}).__proto__.polluted',
  '($p := {}.__proto__; $merge([$p, {"polluted": true}]))',
  '$lookup({"a": 1}, "__proto__").polluted',
  '$each({"__proto__": {"polluted": true}}, function($v, $k) { {$k: $v} })',
  '$reduce([{"__proto__": {"polluted": true}}, {"a": 1}], $merge)',
  '$merge([{"constructor": {"prototype": {"polluted": true}}}])',
  '{"__proto__": {"polluted": true}}{$string(polluted): $}',
  'constructor.constructor("return process")()',
  '$sum.constructor("return process")()',
  '"a".constructor.fromCharCode(97)',
  '$string.call.call(1)',
  '$map([1], "constructor")',
  '$eval("1")',
  // What the library does not contain.
  '$length($pad("x", 200000000))',
  '$sort(list)',
  '$sort($reverse(list), function($l, $r) { $l.v < $r.v })',
  '$distinct(list)',
  '$distinct([1..20000].{"a": $, "b": {"c": $}})',
  '$match($pad("a", 28, "a") & "!", /^(a+)+$/)',
  '$match($pad("a", 29, "a") & "!", /^([a-zA-Z0-9]+\\s?)*$/)',
  '$replace($pad("a", 50000, "a"), /(a*)*b/, "x")',
  '$split($pad("a", 50000, "a"), /(a|a)*c/)',
  '($spin := function($n) { $spin($n + 1) }; $spin(0))',
  '($grow := function($s) { $grow($s & $s) }; $grow("x"))',
  '($nest := function($v) { $nest([$v]) }; $nest(1))',
  '[1..10000000]',
  '[1..3000].[1..3000]',
  '$join([1..100000].$string(), $pad("", 1000))',
  '$formatNumber(1e20, $pad("#", 100000, "#"))',
  '$formatBase(9007199254740991, 2) & $pad("0", 100000000)',
  '$toMillis($pad("2", 100000, "2"), $pad("[Y]", 100000, "[Y]"))',
  '$fromMillis(8640000000000001)',
  '$base64decode($pad("A", 5000000, "A"))',
  '$decodeUrlComponent("%")',
  '$fromJson($pad("[", 100000, "["))',
  '$fromYaml("a: &a [x, x]\\nb: &b [*a, *a, *a, *a]\\nc: &c [*b, *b, *b, *b]\\nd: [*c, *c, *c, *c]")',
  '$fromYaml($pad("[", 10000, "["))',
  '$mergeDeep([1..20000].{"k" & $: {"a": $}})',
  '$quantity($pad("9", 100000, "9"))',
  '$quantity($pad("9", 100000, "9") & "x")',
  '$dnsName([1..100000].$string(), 63)',
  '$dnsName([$pad("a", 100000, "-") & "a"])',
  '$fromJson($join([1..50000].("\\\\\\"")))',
  '$fromYaml($pad("", 100000, "\\"") & "$" & "{a}")',
  '$toJson([1..1000].($pad("a", 10000)))',
  '$sha256([1..500000])',
  '$toYaml([1..200000])',
]

/** Expressions of people who mean harm, each once. */
export const ATTACKS: readonly string[] = [
  ...new Set([
    ...KNOWN,
    ...[BOUNDS_CASES, RESULTS_CASES, TYPES_CASES, INERT_CASES, REFUSED_CASES, UNKNOWN_CASES].flatMap((cases) =>
      (cases as readonly (readonly [string, ...unknown[]])[]).map(([source]) => source),
    ),
  ]),
]
