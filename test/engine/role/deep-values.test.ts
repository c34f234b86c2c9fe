import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { hashJson } from '../../../src/core/base/hash.ts'
import { canonicalJson, deepFreeze, type JsonObject, type JsonValue, jsonEquals } from '../../../src/core/base/json.ts'
import { jsonChanges } from '../../../src/core/base/json-changes.ts'
import { Redactor } from '../../../src/core/base/redactor.ts'
import { withoutCopy } from '../../../src/core/kube/last-applied.ts'
import { cutDeepNesting } from '../../../src/core/kube/nesting.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { readinessOf } from '../../../src/core/kube/readiness.ts'
import { applyDefaults, dropForbiddenNulls } from '../../../src/core/schema/default.ts'
import { goJson, goStructJson } from '../../../src/core/schema/go-json.ts'
import { narrowings } from '../../../src/core/schema/narrowing.ts'
import { prune } from '../../../src/core/schema/prune.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { isSurelyValid } from '../../../src/core/schema/surely-valid.ts'
import { validate } from '../../../src/core/schema/validate.ts'
import { parseBody } from '../../../src/core/yaml/parse-body.ts'
import { printFlowYaml, printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { compileTemplate } from '../../../src/engine/expression/compile-template.ts'
import { dropNulls } from '../../../src/engine/expression/drop-nulls.ts'
import { stripObject } from '../../../src/engine/operator/watching/informer-caches.ts'
import { ROLE_FUNCTIONS } from '../../../src/engine/role/functions/functions.ts'
import { mergeDeep } from '../../../src/engine/role/functions/merge-deep.ts'
import { parseJsonText, parseYamlText } from '../../../src/engine/role/functions/parse-data.ts'
import { printedSizeOf } from '../../../src/engine/role/functions/printed-size.ts'
import { roleInput } from '../../../src/engine/role/run/role-input.ts'
import { Secrecy } from '../../../src/engine/role/secrecy/secrecy.ts'
import { withoutSecrets } from '../../../src/engine/role/secrecy/without-secrets.ts'
import { long } from '../../support/long-tests.ts'

const LEVELS = 40_000
const SHAPES: { readonly [shape: string]: (inner: JsonValue, level: number) => JsonValue } = {
  lists: (inner) => [inner],
  maps: (inner) => ({ a: inner }),
  properties: (inner) => ({ properties: { a: inner } }),
  'lists and maps': (inner, level) => (level % 2 === 0 ? [inner] : { a: inner }),
}
const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const SCHEMA = { type: 'object', properties: { a: OPEN } } as unknown as Schema
const BRACKETS = '['.repeat(LEVELS) + ']'.repeat(LEVELS)

function deepValue(shape: string): JsonValue {
  let value: JsonValue = 'end'
  for (let level = 0; level < LEVELS; level++) value = (SHAPES[shape] as (typeof SHAPES)[string])(value, level)
  return value
}

const objectWith = (content: JsonValue): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Deep', metadata: { name: 'deep' }, spec: content, status: content }) as KubeObject

function evaluated(source: string): (value: JsonValue) => unknown {
  const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
  return (value) => expression.evaluate({ input: { v: value }, variable: () => undefined })
}

/** Each gets a value twice, as two values that share nothing. */
const WALKS: { readonly [name: string]: (value: JsonValue, other: JsonValue) => unknown } = {
  jsonEquals,
  canonicalJson,
  hashJson,
  deepFreeze,
  jsonChanges: (value, other) => jsonChanges({ a: value }, { a: other, b: 1 }),
  cutDeepNesting: (value) => cutDeepNesting(objectWith(value)),
  stripObject: (value) => stripObject(objectWith(value)),
  withoutCopy: (value) => withoutCopy(objectWith(value)),
  readinessOf: (value) => readinessOf(objectWith(value)),
  roleInput: (value) => roleInput(objectWith(value)),
  dropNulls,
  mergeDeep: (value, other) => mergeDeep([{ a: value }, { a: other }]),
  printedSizeOf: (value) => printedSizeOf(value, 2),
  withoutSecrets: (value) => withoutSecrets(objectWith(value), new Secrecy()),
  'Secrecy.hide': (value) => new Secrecy().hide(value),
  'Secrecy.redactValue': (value) => new Secrecy(['hunter22']).redactValue(value),
  'Redactor.hide': () => {
    const redactor = new Redactor(['{"a":'.repeat(LEVELS)])
    redactor.hide(BRACKETS)
    return redactor.redact('a text')
  },
  parseJsonText: () => parseJsonText(BRACKETS),
  parseYamlText: () => parseYamlText(BRACKETS),
  parseBody: () => parseBody(BRACKETS),
  printYaml: (value) => printYaml([value]),
  printFlowYaml,
  goJson,
  goStructJson,
  validate: (value) => validate({ a: value }, SCHEMA),
  prune: (value) => prune({ a: value }, SCHEMA),
  applyDefaults: (value) => applyDefaults({ a: value }, SCHEMA),
  dropForbiddenNulls: (value) => dropForbiddenNulls({ a: value }, SCHEMA),
  isSurelyValid: (value) => isSurelyValid({ a: value }, SCHEMA),
  narrowings: (value, other) => narrowings(value, [other]),
  compileTemplate: (value) => compileTemplate(value, { functions: ROLE_FUNCTIONS, needsValue: () => false }),
  ...Object.fromEntries(
    [
      ...[
        'v',
        'v = v',
        'v in [v]',
        'v & ""',
        'v[0]',
        'v.a.a',
        '**',
        'v.**',
        '[v]{"a": $}',
        '$string(v)',
        '$boolean(v)',
      ],
      ...[
        '$distinct([v, v])',
        '$merge([v, v])',
        '$sort([v, v], function($a, $b) { $a = $b })',
        '$append(v, v)',
        '$keys(v)',
      ],
      ...['$spread(v)', '$reverse(v)', '$count(v)', '$each(v, function($x) { $x })', '$map(v, $string)', '$type(v)'],
      ...['$toYaml(v)', '$toJson(v)', '$sha256(v)', '$mergeDeep([v, v])', '$length($string(v))', '$not(v)'],
    ].map((source) => [source, evaluated(source)]),
  ),
}

describe(`A value that is nested ${LEVELS} levels deep`, () => {
  for (const [name, walk] of Object.entries(WALKS)) {
    for (const shape of Object.keys(SHAPES)) {
      long.when(name.startsWith('parse')).it(`is walked by ${name}, or refused in words: ${shape}`, () => {
        let refusal: unknown
        try {
          walk(deepValue(shape), deepValue(shape))
        } catch (error) {
          refusal = error
        }
        if (refusal === undefined) return
        expect(refusal).to.be.instanceOf(Error).and.not.instanceOf(RangeError)
        expect((refusal as Error).message).to.match(
          /nested (no )?deep|nests too deep|nested thousands|text of one YAML|argument 1/,
        )
        if (name !== 'parseBody') expect(refusal).to.be.instanceOf(CodedError)
      })
    }
  }

  it('is equal to itself and to a copy of a value with a thousand levels', () => {
    let [one, other]: [JsonObject, JsonObject] = [{}, {}]
    for (let level = 0; level < 1_000; level++) [one, other] = [{ a: [one] }, { a: [other] }]
    expect([jsonEquals(one, other), canonicalJson(one) === canonicalJson(other)]).to.deep.equal([true, true])
  })
})
