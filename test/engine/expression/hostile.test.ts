import { expect } from 'chai'
import { deepFreeze, type JsonValue } from '../../../src/core/base/json.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/expression/compile/budget.ts'
import { compileExpression, type Expression } from '../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { long } from '../../support/long-tests.ts'
import { BOUNDS_CASES, LARGE_CASES } from './hostile-cases/bounds.ts'
import { DOCUMENTS, INPUT_TEXT } from './hostile-cases/documents.ts'
import type { HostileCase } from './hostile-cases/hostile-case.ts'
import { INERT_CASES } from './hostile-cases/inert.ts'
import { REFUSED_CASES } from './hostile-cases/refused.ts'
import { RESULTS_CASES } from './hostile-cases/results.ts'
import { SYNTAX_CASES } from './hostile-cases/syntax.ts'
import { TYPES_CASES } from './hostile-cases/types.ts'
import { UNKNOWN_CASES } from './hostile-cases/unknown.ts'

const families: Readonly<Record<string, readonly HostileCase[]>> = {
  'sources that are no expression': SYNTAX_CASES,
  'names that nothing answers to': UNKNOWN_CASES,
  'what our language refuses': REFUSED_CASES,
  'values that do not fit': TYPES_CASES,
  'results that are no plain data': RESULTS_CASES,
  'work without end': BOUNDS_CASES,
  'sources out of proportion': LARGE_CASES,
}

long.describe('hostile expressions', function () {
  this.timeout(60_000)

  for (const [family, cases] of Object.entries(families)) {
    describe(`${family} end in a typed error`, () => {
      for (const [source, code, position] of cases) {
        it(`${JSON.stringify(shorten(source))} is ${code} at ${position}`, () => {
          const error = errorOf(() => evaluate(source, readInput()))
          expect({ code: error?.code, position: error?.position }).to.deep.equal({ code, position })
          expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
        })
      }
    })
  }

  describe('find nothing but plain data', () => {
    for (const [source, value] of INERT_CASES) {
      it(JSON.stringify(source), () => {
        expect(evaluate(source, readInput())).to.deep.equal(value)
      })
    }
  })

  it('are at least two hundred', () => {
    expect(allCases().length).to.be.at.least(200)
  })

  it('change no input, whatever its shape', () => {
    const shapes = DOCUMENTS.map((text) => ({ text, input: deepFreeze(JSON.parse(text)) as JsonValue }))
    for (const expression of compilable()) {
      for (const { input } of shapes) errorOf(() => expression.evaluate({ input, variable: () => undefined }))
    }
    for (const { text, input } of shapes) expect(JSON.stringify(input)).to.equal(text)
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
  })
})

function readInput(): JsonValue {
  return deepFreeze(JSON.parse(INPUT_TEXT))
}

function allCases(): readonly string[] {
  return [...Object.values(families).flat(), ...INERT_CASES].map(([source]) => source)
}

/** The cases that can be compiled, with less steps than usual. */
function compilable(): readonly Expression[] {
  const limits = { ...DEFAULT_LIMITS, steps: 10_000 }
  const expressions: Expression[] = []
  for (const source of allCases()) {
    errorOf(() => expressions.push(compileExpression(source, { functions: new Map(), limits })))
  }
  return expressions
}

function evaluate(source: string, input: JsonValue): JsonValue | undefined {
  const expression = compileExpression(source, { functions: new Map() })
  return expression.evaluate({ input, variable: (name) => (name === 'x' ? 5 : undefined) })
}

/** Anything but an error of the language, or none, is a defect. */
function errorOf(work: () => unknown): ExpressionError | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (!(error instanceof ExpressionError) || error.code === 'E1000') throw error
    return error
  }
}

function shorten(source: string): string {
  return source.length > 100 ? `${source.slice(0, 97)}...` : source
}
