import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { isJsonArray, isJsonObject } from '../../../../src/core/base/json.ts'
import { compileExpression } from '../../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../../src/engine/expression/expression-error.ts'
import { inferType } from '../../../../src/engine/expression/infer-type.ts'
import { parseExpression } from '../../../../src/engine/expression/parse-expression.ts'
import { record, type Shape, TEXT, type Type } from '../../../../src/engine/expression/types/type.ts'
import { ROLE_FUNCTIONS } from '../../../../src/engine/role/functions/functions.ts'
import { checkText, WEB } from '../../../support/checked-role.ts'
import { FULL_WEB, randomSource, randomWeb } from './random-web.ts'

const RUNS = Number(process.env.RANDOM_RUNS ?? 1_500)
/** The same every time, so that a change is judged by what it changes. `SEED=…` takes another. */
const SEED = Number(process.env.SEED ?? 20261121)
const WATCH = { group: 'example.com', version: 'v1', kind: 'Web' }
const VARIABLES = new Map([['watch', record({ group: TEXT, version: TEXT, kind: TEXT })]])

/** Whether a value is one of those that a type promises. */
function belongs(value: JsonValue | undefined, type: Type): boolean {
  // That there is a value is no promise: only that there may be none is said, where it is known.
  if (type.shapes === undefined || value === undefined || value === null) return true
  return type.shapes.some((shape) => hasShape(value, shape))
}

function hasShape(value: JsonValue, shape: Shape): boolean {
  if (shape.kind === 'text') return typeof value === 'string' && (shape.values?.includes(value) ?? true)
  if (shape.kind === 'number' || shape.kind === 'boolean') return typeof value === shape.kind
  if (shape.kind === 'list') return isJsonArray(value) && value.every((item) => belongs(item, shape.item))
  if (shape.kind !== 'object' || !isJsonObject(value)) return false
  const { object } = shape
  return Object.entries(value).every(([name, field]) => {
    const type = object.field(name)
    return type === undefined ? object.unknown !== 'closed' : belongs(field, type)
  })
}

/** The value, or whether its type was wrong for an operator or a function. */
function evaluate(
  source: string,
  input: JsonValue,
): { readonly value?: JsonValue | undefined; readonly failed: boolean } {
  const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
  try {
    return { value: expression.evaluate({ input, variable: () => WATCH }), failed: false }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { failed: true }
  }
}

function isParsed(source: string): boolean {
  try {
    return parseExpression(source) !== undefined
  } catch {
    // The library takes the `/` behind `[]` and `)` of some paths for the start of a regular expression.
    return false
  }
}

describe('types of random expressions', function () {
  this.timeout(60_000)

  it('hold for what they yield', () => {
    fc.assert(
      fc.property(randomSource.filter(isParsed), randomWeb, (source, web) => {
        const { type } = inferType(source, { functions: ROLE_FUNCTIONS, input: WEB, variables: VARIABLES })
        const { value, failed } = evaluate(source, web)
        if (!failed) expect(belongs(value, type), `${source} = ${JSON.stringify(value)}`).to.equal(true)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})

/** Parts that are not evaluated for every input. */
const UNCERTAIN = /\?|labels|config\)|metadata|keys|\)\.| and | or |function|\)\[|none|\[\]|\.\(|null/

describe('complaints about random expressions', function () {
  this.timeout(60_000)

  it('are about what fails', () => {
    const sources = randomSource.filter((source) => !UNCERTAIN.test(source) && isParsed(source))
    fc.assert(
      fc.property(sources, (source) => {
        const { complaints } = inferType(source, { functions: ROLE_FUNCTIONS, input: WEB, variables: VARIABLES })
        const wrong = complaints.find(({ code }) => code === 'operand' || code === 'argument')
        // Behind a path that leads nowhere there is nothing, which fails nowhere.
        if (wrong && complaints.every(({ code }) => code !== 'unknown-path'))
          expect(evaluate(source, FULL_WEB).failed, `${source}: ${wrong.message}`).to.equal(true)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})

describe('random roles', function () {
  this.timeout(60_000)

  it('are checked to the end', () => {
    const text = fc.oneof(
      randomSource.map((source) => `\${${source}}`),
      fc.string(),
      fc.constantFrom('${', '$${', '${}'),
    )
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('spec', 'metadata', 'name', 'replicas', 'template', 'a b', '${spec.name}'),
          tie('node'),
        ),
      ),
    })).node
    const manifest = fc.record({
      apiVersion: fc.constantFrom('v1', 'apps/v1', 'example.com/v1', ''),
      kind: fc.constantFrom('Pod', 'Deployment', 'Web', ''),
      metadata: fc.oneof(value, fc.record({ name: text })),
      spec: value,
    })
    const body = fc.oneof(manifest, value)
    const kind = fc.constantFrom('ensure', 'patch', 'status', 'get', 'list', 'set', 'wait', 'assert', 'fail', 'block')
    const task = fc
      .tuple(kind, body, fc.dictionary(fc.constantFrom('when', 'loop', 'register', 'readyWhen', 'name'), value))
      .map(([name, content, modifiers]) => ({ ...modifiers, [name]: content }))
    const role = fc.record({ vars: value, tasks: fc.array(task, { maxLength: 4 }) }, { requiredKeys: ['tasks'] })
    fc.assert(
      fc.property(role, (some) => {
        checkText(JSON.stringify(some))
      }),
      { numRuns: Math.ceil(RUNS / 10), seed: SEED },
    )
  })
})
