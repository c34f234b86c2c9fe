import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { printFieldError } from '../../../../../src/core/schema/field-error.ts'
import { validateGatedUpdate } from '../../../../../src/sandbox/apiserver/kinds/pod/gated-update-validation.ts'

const on = (...terms: readonly JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
})
const needs = (...keys: readonly string[]): JsonObject => ({
  matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })),
})
const TERMS = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
const shown = (...keys: readonly string[]): string =>
  keys.map((key) => `{"Key":"${key}","Operator":"Exists","Values":null}`).join(',')

const cases: readonly {
  readonly name: string
  readonly old: JsonObject
  readonly spec: JsonObject
  readonly expected: readonly string[]
}[] = [
  {
    name: 'demands a label more',
    old: { nodeSelector: { a: '1' } },
    spec: { nodeSelector: { a: '1', b: '2' } },
    expected: [],
  },
  {
    name: 'does not demand another value of a label',
    old: { nodeSelector: { a: '1' } },
    spec: { nodeSelector: { a: '2' } },
    expected: [
      'spec.nodeSelector: Invalid value: {"a":"2"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
  },
  { name: 'gets its first terms', old: {}, spec: on(needs('a'), needs('b')), expected: [] },
  { name: 'demands more in a term', old: on(needs('a')), spec: on(needs('a', 'b')), expected: [] },
  {
    name: 'does not demand something else in a term',
    old: on(needs('a')),
    spec: on(needs('b', 'a')),
    expected: [
      `${TERMS}[0]: Invalid value: {"MatchExpressions":[${shown('b', 'a')}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ],
  },
  {
    name: 'gets no term more, which would be an alternative',
    old: on(needs('a')),
    spec: on(needs('a'), needs('b')),
    expected: [
      `${TERMS}: Invalid value: [{"MatchExpressions":[${shown('a')}],"MatchFields":null},{"MatchExpressions":[${shown('b')}],"MatchFields":null}]: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
  },
  { name: 'keeps a term that fits no node', old: on({}), spec: on({}), expected: [] },
  {
    name: 'does not demand anything in a term that fits no node',
    old: on({}),
    spec: on(needs('a')),
    expected: [
      `${TERMS}[0]: Invalid value: {"MatchExpressions":[${shown('a')}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ],
  },
]

describe('A pod behind a scheduling gate', () => {
  for (const { name, old, spec, expected } of cases) {
    it(name, () => expect(validateGatedUpdate(spec, old).map(printFieldError)).to.deep.equal(expected))
  }
})
