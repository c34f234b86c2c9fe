import { expect } from 'chai'
import { RunBudget } from '../../../src/engine/expression/compile/run-budget.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { compileTemplate } from '../../../src/engine/expression/compile-template.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { long } from '../../support/long-tests.ts'

const COSTLY = '$sum([1..1000])'
const LARGE = '$length($pad("a", 1000))'
const tooLong = (): Error => new Error('too long')
const MANY = { steps: 1e9, bytes: 1e9 }

/** How many times an expression can be evaluated, and how the next one ends. */
function timesOf(source: string, runBudget: RunBudget, afterEach = (): void => {}): { times: number; code: string } {
  const expression = compileExpression(source, { functions: new Map() })
  for (let times = 0; times < 10_000; times++) {
    try {
      expression.evaluate({ input: null, variable: () => undefined, runBudget })
      afterEach()
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return { times, code: error.code }
    }
  }
  return { times: Number.POSITIVE_INFINITY, code: '' }
}

describe('the budget of a run', () => {
  it('bounds what its expressions take in steps together', () => {
    const { times, code } = timesOf(COSTLY, new RunBudget({ steps: 30_000, bytes: 1e9 }, MANY))
    expect(code).to.equal('E1009')
    expect(times).to.be.within(5, 29)
  })

  it('bounds what its expressions build together', () => {
    const { times, code } = timesOf(LARGE, new RunBudget({ steps: 1e9, bytes: 30_000 }, MANY))
    expect(code).to.equal('E1009')
    expect(times).to.be.within(5, 29)
  })

  long.it('bounds what is taken between two breaths, anew after each', () => {
    expect(timesOf(COSTLY, new RunBudget(MANY, { steps: 30_000, bytes: 1e9 })).code).to.equal('E1009')
    const budget = new RunBudget(MANY, { steps: 30_000, bytes: 1e9 })
    expect(timesOf(COSTLY, budget, () => budget.renew()).times).to.equal(Number.POSITIVE_INFINITY)
  })

  it('is not blamed for an expression that takes too much alone', () => {
    const budget = new RunBudget()
    expect(timesOf('[1..9999999]', budget)).to.deep.equal({ times: 0, code: 'E1001' })
    expect(timesOf(COSTLY, budget).code).to.equal('E1009')
  })

  it('leaves other errors as they are', () => {
    expect(timesOf('1 + "a"', new RunBudget()).code).to.equal('T2002')
    expect(timesOf('($f := function($x){1 + $f($x)}; $f(1))', new RunBudget()).code).to.equal('E1003')
  })

  it('of a short run is used up soon, which is not an error of the expression', () => {
    const short = RunBudget.short(tooLong)
    expect(() => timesOf('$sum([1..100])', short)).to.throw('too long')
    expect(() => timesOf('[1..9999999]', RunBudget.short(tooLong))).to.throw('too long')
    expect(() => timesOf('$pad("x", 9999999)', RunBudget.short(tooLong))).to.throw('too long')
    expect(timesOf('1 + "a"', RunBudget.short(tooLong)).code).to.equal('T2002')
  })

  it('of a short run pays for the result, which one value in many places makes large', () => {
    const doubled = '($b := function($n){$n = 0 ? {"a":1} : ($x := $b($n-1); {"l":$x,"r":$x})}; $b(17))'
    expect(() => timesOf(doubled, RunBudget.short(tooLong))).to.throw('too long')
    expect(timesOf(doubled, new RunBudget(MANY, MANY)).code).to.equal('E1004')
  })

  it('of a short run is not renewed', () => {
    const budget = RunBudget.short(tooLong)
    expect(() => timesOf(COSTLY, budget, () => budget.renew())).to.throw('too long')
  })

  long.it('bounds a template with many costly expressions', () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `\${ $sum([1..${20_000 + index}]) }`)
    const template = compileTemplate(texts, { functions: new Map(), needsValue: () => false })
    const bindings = { input: null, variable: () => undefined }
    let evaluated = 0
    const meter = { now: () => 0, evaluated: () => void evaluated++ }
    expect(() => template.render({ ...bindings, meter, runBudget: new RunBudget() })).to.throw('E1009')
    expect(evaluated).to.be.below(60)
  })
})
