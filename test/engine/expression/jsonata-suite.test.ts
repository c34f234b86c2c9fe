import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { deepFreeze, type JsonValue } from '../../../src/core/base/json.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { long } from '../../support/long-tests.ts'
import { evaluateWithLibrary } from './jsonata-oracle.ts'
import { loadSuite, type SuiteCase } from './jsonata-suite.ts'
import { REFUSALS, refusalOf } from './jsonata-suite-refusals.ts'

/** Two cases count ten million items; otherwise the limits are those of every evaluation. */
const LIMITS = { steps: 30_000_000, depth: 500, bytes: 1e9 }
/** The code of the suite's runner for an evaluation that it stops itself: any limit of ours will do. */
const STOPPED = 'U1001'

/** They count ten million items, and recur deeply. */
const LONG: ReadonlySet<string> = new Set(['flattening', 'range-operator', 'tail-recursion'])

const suite = loadSuite()

describe("jsonata's own suite", function () {
  this.timeout(60_000)

  for (const [group, cases] of Map.groupBy(suite, ({ name }) => name.slice(0, name.indexOf('/')))) {
    long.when(LONG.has(group)).it(`${group}: ${cases.length} cases`, async () => {
      const mismatches: string[] = []
      for (const suiteCase of cases) mismatches.push(...(await mismatchesOf(suiteCase)))
      expect(mismatches).to.deep.equal([])
    })
  }

  it('holds every case that our language refuses, by name', () => {
    const names = suite.map(({ name }) => name)
    const gone = REFUSALS.flatMap(({ cases }) => cases).filter((known) => !names.some((name) => name.startsWith(known)))
    expect(gone).to.deep.equal([])
    expect(names.filter((name) => refusalOf(name) !== undefined)).to.have.length(38)
  })
})

async function mismatchesOf(suiteCase: SuiteCase): Promise<readonly string[]> {
  const before = JSON.stringify(suiteCase.input)
  const actual = evaluate(suiteCase)
  if (JSON.stringify(suiteCase.input) !== before) return [`${suiteCase.name} changes its input`]
  const wanted = await expectedOf(suiteCase)
  if (wanted === 'limit' ? actual.phase === 'limit' : agree(actual, wanted, suiteCase.unordered)) return []
  const texts = [suiteCase.source, JSON.stringify(wanted), JSON.stringify(actual)].map((text) => text?.slice(0, 300))
  return [`${suiteCase.name}: ${texts[0]} should be ${texts[1]}, is ${texts[2]}`]
}

interface Actual {
  readonly value?: JsonValue | undefined
  readonly code?: string
  readonly position?: number
  readonly token?: string | undefined
  readonly phase?: string
}

function evaluate({ source, input, bindings }: SuiteCase): Actual {
  try {
    const expression = compileExpression(source, { functions: new Map(), limits: LIMITS })
    const frozen = deepFreeze(input) as JsonValue
    return { value: expression.evaluate({ input: frozen, variable: (name) => bindings[name] }) }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { code, position, token, phase } = error
    return { code, position, token, phase }
  }
}

/** The suite gives values and codes; where an error stands and which token it names, the library itself has to say. */
async function expectedOf(suiteCase: SuiteCase): Promise<Actual | 'limit'> {
  const { expected, source, input, bindings, name } = suiteCase
  const refusal = refusalOf(name)
  if (refusal !== undefined) return { code: refusal.code }
  if (!('code' in expected)) return expected
  if (expected.code === STOPPED) return 'limit'
  const outcome = await evaluateWithLibrary(source, { input, bindings, fresh: true })
  expect(outcome, `${name} in the library`).to.have.property('code', expected.code)
  return outcome as Actual
}

function agree(actual: Actual, wanted: Actual, unordered: boolean): boolean {
  if (wanted.code === undefined) {
    return (
      actual.code === undefined && isDeepStrictEqual(inOrder(actual.value, unordered), inOrder(wanted.value, unordered))
    )
  }
  if (!('position' in wanted)) return actual.code === wanted.code
  return actual.code === wanted.code && actual.position === wanted.position && actual.token === wanted.token
}

function inOrder(value: JsonValue | undefined, unordered: boolean): unknown {
  return unordered && Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value
}
