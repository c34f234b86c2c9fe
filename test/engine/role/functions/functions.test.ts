import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { Budget, DEFAULT_LIMITS } from '../../../../src/engine/expression/compile/budget.ts'
import { compileExpression } from '../../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../../src/engine/expression/expression-error.ts'
import { dnsName } from '../../../../src/engine/role/functions/dns-name.ts'
import { ROLE_FUNCTIONS, roleFunctions } from '../../../../src/engine/role/functions/functions.ts'
import { RoleTexts } from '../../../../src/engine/role/functions/role-texts.ts'
import { UsedSources } from '../../../../src/engine/role/parse/role-sources.ts'
import { long } from '../../../support/long-tests.ts'
import { sourcesOf } from '../../../support/sources.ts'

const SOURCES = sourcesOf({ 'files/motd.txt': 'Hello ${metadata.name}\n' })
const options = { functions: roleFunctions(new RoleTexts(new UsedSources(SOURCES))) }

function evaluate(source: string, input: JsonObject = {}, budget?: Budget): JsonValue | undefined {
  return compileExpression(source, options).evaluate({ input, variable: () => undefined }, budget)
}

function codeOf(source: string, input: JsonObject = {}, budget?: Budget): string {
  try {
    return `yields ${JSON.stringify(evaluate(source, input, budget))}`
  } catch (error) {
    expect(error).to.be.instanceOf(ExpressionError)
    expect((error as Error).message).not.to.contain('hunter2')
    return (error as ExpressionError).code
  }
}

const DEPLOYMENT: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', generation: 2 },
  spec: { replicas: 2 },
  status: {
    observedGeneration: 2,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions: [
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ],
  },
}

describe('the functions of the role language', () => {
  for (const { name, example, doc, signature } of ROLE_FUNCTIONS.values()) {
    it(`$${name} has a doc, a signature and an example that holds`, () => {
      expect(doc).to.match(/^[A-Z].*\.$/)
      expect(signature).to.match(/^<.*>$/)
      expect(example).to.contain(`$${name}(`)
      expect(evaluate(example, { metadata: { name: 'web' } })).to.equal(true)
    })
    if (name === 'file' || name === 'template') continue
    it(`$${name} makes nothing of nothing`, () => {
      const rest = { quantity: '', formatQuantity: ', "Mi"', condition: ', "Ready"' }[name as string] ?? ''
      expect(evaluate(`$${name}(spec.none${rest})`)).to.equal(undefined)
    })
  }

  const cases: { expression: string; input?: JsonObject; expected: unknown }[] = [
    { expression: '$dnsName(["web"])', expected: 'web' },
    { expression: '$dnsName("web")', expected: 'web' },
    { expression: '$dnsName(["web", 1, "b"])', expected: 'web-1-b' },
    { expression: '$dnsName(["Web"])', expected: 'web-29751047' },
    { expression: '$dnsName(["a.b"])', expected: 'a-b-2e7336dc' },
    { expression: '$dnsName(["_"])', expected: 'd2e2adf7' },
    { expression: '$dnsName(["a", "b"]) = $dnsName(["a-b"])', expected: true },
    { expression: '$dnsName(["a", "B"]) = $dnsName(["a-B"])', expected: false },
    { expression: '$length($dnsName(["x" & $pad("", 100, "y")]))', expected: 63 },
    { expression: '$length($dnsName(["x" & $pad("", 100, "y")], 20))', expected: 20 },
    { expression: '$length($dnsName(["x" & $pad("", 62, "y")]))', expected: 63 },
    { expression: '$sha256("abc")', expected: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    { expression: '$sha256([1]) = $sha256("[1]")', expected: true },
    {
      expression: '$sha256({"b": {"d": 1, "c": 2}, "a": 1}) = $sha256("{\\"a\\":1,\\"b\\":{\\"c\\":2,\\"d\\":1}}")',
      expected: true,
    },
    {
      expression: '$entries({"b": 1, "a": {"x": 2}})',
      expected: [
        { key: 'a', value: { x: 2 } },
        { key: 'b', value: 1 },
      ],
    },
    { expression: '$entries({"a": 1})', expected: [{ key: 'a', value: 1 }] },
    { expression: '$entries({})', expected: [] },
    { expression: '$quantity("1Gi")', expected: 1073741824 },
    { expression: '$quantity("0.5Mi")', expected: 524288 },
    { expression: '$quantity("300m")', expected: 0.3 },
    { expression: '$quantity("100n")', expected: 1e-7 },
    { expression: '$quantity("1e3")', expected: 1000 },
    { expression: '$quantity("-5k")', expected: -5000 },
    { expression: '$quantity("+.5")', expected: 0.5 },
    { expression: '$quantity(3)', expected: 3 },
    { expression: '$formatQuantity(1073741824, "Mi")', expected: '1024Mi' },
    { expression: '$formatQuantity(1500, "k")', expected: '1.5k' },
    { expression: '$formatQuantity(0.3, "m")', expected: '300m' },
    { expression: '$formatQuantity(0.0001, "m")', expected: '0.1m' },
    { expression: '$formatQuantity(1/3, "")', expected: '0.334' },
    { expression: '$formatQuantity(-0.5, "")', expected: '-0.5' },
    { expression: '$formatQuantity(-2.25)', expected: '-2.25' },
    { expression: '$formatQuantity(1e20, "")', expected: '100000000000000000000' },
    { expression: '$formatQuantity(1e300, "n")', expected: `${10n ** 9n * BigInt(1e300)}n` },
    { expression: '$formatQuantity(-1e308, "m")', expected: `-${1000n * BigInt(1e308)}m` },
    { expression: '$formatQuantity(1e307, "")', expected: `${BigInt(1e307)}` },
    { expression: '$formatQuantity(1e300, "Ei")', expected: `${BigInt(1e300) / 2n ** 60n}Ei` },
    { expression: '$formatQuantity(1e-300, "Ei")', expected: '0.001Ei' },
    { expression: '$formatQuantity($quantity("100m") * 3, "m")', expected: '300m' },
    { expression: '$toYaml([{"a": "yes", "b": 1}])', expected: '- a: "yes"\n  b: 1\n' },
    {
      expression: '$fromYaml($toYaml({"a": ["0644", true, {"b": 1.5}]}))',
      expected: { a: ['0644', true, { b: 1.5 }] },
    },
    { expression: '$fromYaml("a: null\\nb: [null, 1]")', expected: { b: [1] } },
    { expression: '$fromYaml("")', expected: undefined },
    { expression: '$fromYaml("a: |\\n  x\\n  y\\n").a', expected: 'x\ny\n' },
    { expression: '$toJson({"b": 1, "a": spec.none})', expected: '{"b":1}' },
    { expression: '$toJson("x")', expected: '"x"' },
    { expression: '$fromJson("{\\"a\\":null,\\"b\\":[1,\\"]\\"]}")', expected: { b: [1, ']'] } },
    { expression: '$fromJson("3")', expected: 3 },
    {
      expression: '$mergeDeep([{"a": {"b": [1], "c": 1}}, {"a": {"b": [2]}}, {"d": 1}])',
      expected: { a: { b: [2], c: 1 }, d: 1 },
    },
    { expression: '$mergeDeep([{"a": {"b": 1}}, {"a": 1}, {"a": {"c": 1}}])', expected: { a: { c: 1 } } },
    { expression: '$mergeDeep({"a": 1})', expected: { a: 1 } },
    {
      expression: '$mergeDeep([{"a": {"b": {"x": 1}}, "z": 0}, {"a": {"c": 2}}, {"a": {"b": {"y": 3}}}])',
      expected: { a: { b: { x: 1, y: 3 }, c: 2 }, z: 0 },
    },
    // Each key is looked at once, however many maps there are.
    { expression: '$count($keys($mergeDeep([1..9000].{"k" & $: {"a": $}})))', expected: 9000 },
    { expression: '$condition($, "Progressing").reason', input: DEPLOYMENT, expected: 'NewReplicaSetAvailable' },
    { expression: '$condition($, "Ready")', input: DEPLOYMENT, expected: undefined },
    { expression: '$condition($, "Ready")', input: { status: { conditions: 1 } }, expected: undefined },
    { expression: '$condition($, "Ready")', input: { status: { conditions: ['x'] } }, expected: undefined },
    { expression: '$isReady($)', input: DEPLOYMENT, expected: true },
    { expression: '$isReady($)', input: { ...DEPLOYMENT, spec: { replicas: 3 } }, expected: false },
  ]
  for (const { expression, input, expected } of cases) {
    it(`${expression} is ${JSON.stringify(expected)}`, () =>
      expect(evaluate(expression, input)).to.deep.equal(expected))
  }

  const refused: { expression: string; code: string; input?: JsonObject }[] = [
    { expression: '$dnsName([])', code: 'E2002' },
    { expression: '$dnsName([true])', code: 'E2002' },
    { expression: '$dnsName([spec])', code: 'E2002', input: { spec: { a: 1 } } },
    { expression: '$dnsName(["a"], 9)', code: 'E2001' },
    { expression: '$dnsName(["a"], 254)', code: 'E2001' },
    { expression: '$quantity("hunter2")', code: 'E2003' },
    { expression: '$quantity("1 Gi")', code: 'E2003' },
    { expression: '$quantity("")', code: 'E2003' },
    { expression: '$quantity("2Ei")', code: 'E1007' },
    { expression: '$formatQuantity(1, "hunter2")', code: 'E2004' },
    { expression: '$fromYaml("a: [hunter2")', code: 'E2005' },
    { expression: '$fromYaml("a: yes")', code: 'E2005' },
    { expression: '$fromYaml("a: 1\\n---\\nb: 2")', code: 'E2005' },
    { expression: '$fromYaml("a: &a [*a]")', code: 'E2005' },
    { expression: '$fromJson("{hunter2}")', code: 'E2006' },
    { expression: '$fromJson("")', code: 'E2006' },
    { expression: '$fromJson($pad("", 101, "[") & $pad("", 101, "]"))', code: 'E2006' },
    { expression: '$fromJson("{\\"__proto__\\": {\\"a\\": 1}}")', code: 'E1008' },
    { expression: '$fromJson("12345678901234567890")', code: 'E1007' },
    { expression: '$sha256($sum)', code: 'E2008' },
    { expression: '$sha256($fromJson("1e999"))', code: 'E2008' },
    { expression: '$toJson({"f": function($x){$x}})', code: 'E2008' },
    { expression: '$isReady({"status": {}})', code: 'E2007' },
    { expression: '$isReady({"apiVersion": "v1", "kind": "Pod", "metadata": null})', code: 'E2007' },
    { expression: '$entries("hunter2")', code: 'T0410' },
    { expression: '$mergeDeep([1])', code: 'T0412' },
    { expression: '$condition({}, 1)', code: 'T0410' },
  ]
  for (const { expression, code, input } of refused) {
    it(`${expression} fails with ${code}`, () => expect(codeOf(expression, input)).to.equal(code))
  }

  const attacks: { name: string; expression: string }[] = [
    {
      name: 'prints a large value again and again',
      expression: '$map([1..1000], function($i){$length($toJson($$.list))})',
    },
    { name: 'hashes a large value again and again', expression: '$map([1..1000], function($i){$sha256($$.list)})' },
    { name: 'parses a large text again and again', expression: '$map([1..1000], function($i){$fromYaml($$.text)})' },
    { name: 'reads a large JSON again and again', expression: '$map([1..1000], function($i){$fromJson($$.json)})' },
    {
      name: 'merges a large map again and again',
      expression: '$map([1..1000], function($i){$mergeDeep([$$.map, $$.map])})',
    },
  ]
  for (const { name, expression } of attacks) {
    long
      .it(`ends an expression that ${name}`, () => {
        const list = Array.from({ length: 20_000 }, (_, index) => `item ${index}`)
        const text = list.map((item) => `- ${item}`).join('\n')
        const map = Object.fromEntries(list.map((item) => [item, { a: 1 }]))
        expect(codeOf(expression, { list, text, map, json: JSON.stringify(list) })).to.be.oneOf(['E1001', 'E1002'])
      })
      .timeout(60_000)
  }

  const repeated = (part: string): string => part.repeat(190_000 / part.length)
  const linear: { name: string; what: string; text: string; expected: string }[] = [
    { name: 'quantity', what: 'digits that are no quantity', text: `${repeated('9')}x`, expected: 'E2003' },
    { name: 'quantity', what: 'digits behind a point that are none', text: `.${repeated('9')}x`, expected: 'E2003' },
    { name: 'dnsName', what: 'many dashes before the end', text: `a${repeated('_')}a`, expected: 'yields "a---' },
    { name: 'dnsName', what: 'nothing but dashes', text: repeated('-'), expected: 'yields "' },
    { name: 'fromJson', what: 'a string that does not end', text: `"${repeated('\\"')}`, expected: 'E2006' },
    { name: 'fromYaml', what: 'many errors in a long line', text: `${repeated('"')}\${a}`, expected: 'E2005' },
  ]
  for (const { name, what, text, expected } of linear) {
    long
      .it(`$${name} takes linear time for ${what}`, () => {
        // In quadratic time this takes from a quarter of a minute to minutes, else less than a second.
        expect(codeOf(`$${name}(text)`, { text })).to.contain(expected)
      })
      .timeout(10_000)
  }

  for (const expression of ['$quantity(text)', '$dnsName(text)']) {
    it(`${expression} pays for what it looks at`, () => {
      const budget = new Budget({ ...DEFAULT_LIMITS, steps: 1000 })
      expect(codeOf(expression, { text: 'a'.repeat(64_000) }, budget)).to.equal('E1001')
    })
  }

  for (const name of ['dnsName', 'sha256', 'toJson', 'toYaml']) {
    it(`$${name} pays for a text before it is made`, () => {
      // Made first, the text would be longer than a text can be: that is E1003.
      expect(codeOf(`$${name}([1..600].($$.text))`, { text: 'a'.repeat(1_000_000) })).to.equal('E1001')
    })
  }

  long.it('$dnsName names are valid, and differ where their parts do', () => {
    const valid = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
    const seen = new Map<string, string>()
    const alphabet = ['a', 'B', '-', '.', '_', 'é', '\u212a', '0', '/', ' ', '😀']
    for (let number = 0; number < 100_000; number++) {
      const part = Array.from(
        { length: 6 },
        (_, place) => alphabet[Math.floor(number / alphabet.length ** place) % alphabet.length],
      ).join('')
      const parts = [`${'x'.repeat(number % 70)}`, part]
      const name = dnsName(parts, 63)
      if (!valid.test(name) || name.length > 63) expect.fail(`${JSON.stringify(parts)} gives ${name}`)
      const text = parts.join('-')
      if (seen.has(name) && seen.get(name) !== text)
        expect.fail(`${JSON.stringify(parts)} and ${seen.get(name)} give ${name}`)
      seen.set(name, text)
    }
  })
})
