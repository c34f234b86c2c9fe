import { expect } from 'chai'
import { deepFreeze, type JsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import { compileExpression, type Expression } from '../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import type { ExpressionFunction } from '../../../src/engine/expression/function-table.ts'
import { evaluateWithLibrary } from './jsonata-oracle.ts'

const INPUT = deepFreeze({
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    size: 3,
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53 },
    ],
    one: [{ c: 9 }],
    empty: [],
    flag: false,
  },
})
const VARIABLES: JsonObject = deepFreeze({
  labels: { app: 'web' },
  list: [1, 2],
  pod: { status: { phase: 'Running' } },
})

describe('compileExpression', () => {
  const names: readonly { source: string; variables: readonly string[] }[] = [
    { source: 'spec.size', variables: [] },
    { source: '$labels', variables: ['labels'] },
    { source: '$labels.app & $pod.status.phase & $labels.app', variables: ['labels', 'pod'] },
    { source: '$sum($list)', variables: ['list'] },
    { source: '($x := $list; $x)', variables: ['list'] },
    { source: '$map($list, function($v){ $v + $pod })', variables: ['list', 'pod'] },
    { source: '$nope(1)', variables: ['nope'] },
    { source: 'spec.ports@$p.{"p": $p, "l": $labels}', variables: ['labels'] },
  ]
  for (const { source, variables } of names) {
    it(`knows the variables of ${source}`, () => {
      expect([...compile(source).variables]).to.deep.equal(variables)
    })
  }

  const paths: readonly { source: string; reads: readonly (readonly string[])[] }[] = [
    { source: '1', reads: [] },
    { source: '$labels.app', reads: [] },
    { source: 'spec.size', reads: [['spec', 'size']] },
    { source: '$.spec.size', reads: [['spec', 'size']] },
    { source: '$$.spec.size', reads: [['spec', 'size']] },
    { source: '$', reads: [[]] },
    { source: '$$', reads: [[]] },
    { source: '*', reads: [[]] },
    { source: '**.name', reads: [[]] },
    { source: 'spec.*', reads: [['spec']] },
    { source: 'spec.ports[name = "http"].port', reads: [['spec', 'ports']] },
    { source: 'spec.ports.{"n": name}', reads: [['spec', 'ports']] },
    { source: 'spec.ports^(name)', reads: [['spec', 'ports']] },
    { source: 'spec.ports{name: port}', reads: [['spec', 'ports']] },
    { source: 'spec.ports@$p.name', reads: [['spec']] },
    { source: 'spec.ports.%.size', reads: [['spec']] },
    {
      source: 'spec.a.(b; $$.metadata.name)',
      reads: [
        ['metadata', 'name'],
        ['spec', 'a'],
      ],
    },
    { source: 'spec.size + spec.size', reads: [['spec', 'size']] },
    {
      source: '{"a": spec.a, "b": [metadata.name]}',
      reads: [
        ['spec', 'a'],
        ['metadata', 'name'],
      ],
    },
    { source: '($f := function($n){ spec.size + $n }; $f(1))', reads: [['spec', 'size']] },
    { source: '$string()', reads: [[]] },
    { source: '$string(spec.size)', reads: [['spec', 'size']] },
    { source: 'spec.ports.$string()', reads: [['spec', 'ports']] },
    { source: 'function($x)<s-:s>{ $x }()', reads: [[]] },
    { source: 'spec.size ?? 1', reads: [['spec', 'size']] },
  ]
  for (const { source, reads } of paths) {
    it(`knows what ${source} reads`, () => {
      expect([...compile(source).inputPaths].map(String).sort()).to.deep.equal([...reads].map(String).sort())
    })
  }

  const results: readonly { source: string; value: JsonValue | undefined; reason: string }[] = [
    { source: 'spec.ports.name', value: ['http', 'dns'], reason: 'a list on the way is mapped' },
    { source: 'spec.one.c', value: 9, reason: 'a list of one collapses' },
    { source: 'spec.one.c[]', value: [9], reason: '[] keeps the list' },
    { source: '[spec.one.c]', value: [9], reason: 'and so does a constructor' },
    { source: 'spec.one', value: [{ c: 9 }], reason: 'a path that ends at a list is that list' },
    { source: 'spec.ports[name = "none"]', value: undefined, reason: 'no match is nothing' },
    { source: 'spec.ports[name = "none"][]', value: undefined, reason: '[] does not make a list of nothing' },
    { source: 'spec.empty', value: [], reason: 'an empty list of the input stays' },
    { source: 'spec.nope.deeper', value: undefined, reason: 'nothing has no fields' },
    { source: 'spec.size.deeper', value: undefined, reason: 'a number has no fields' },
    { source: '{"a": spec.nope, "b": null}', value: { b: null }, reason: 'a missing field is left out, null is not' },
    { source: '$pod.status.phase', value: 'Running', reason: 'variables come from outside' },
    { source: '$nope', value: undefined, reason: 'an unknown one is nothing' },
    { source: '$list[0]', value: 1, reason: 'and can be filtered' },
    { source: '$labels', value: { app: 'web' }, reason: 'whole objects too' },
    { source: 'spec.flag ?? true', value: false, reason: '?? looks for a value' },
    { source: 'spec.flag ?: true', value: true, reason: '?: looks for truth' },
    { source: '$match("ab", /b/).match ?: "none"', value: 'b', reason: 'the copy of a pattern works as it does' },
    { source: '$match("ab", /c/) ?? "none"', value: 'none', reason: 'under ?? too' },
    { source: '$double(spec.size)', value: 6, reason: 'functions are handed in' },
    { source: 'spec.ports.$double(port)', value: [160, 106], reason: 'and see each item' },
    {
      source: '($f := function($n){ $n = 0 ? 0 : $f($n - 1) }; $f(20000))',
      value: 0,
      reason: 'tail calls need no depth',
    },
    { source: '(function($x){ ($double($x))[0] })(2)', value: 4, reason: 'a call that is filtered is no tail call' },
    { source: '$map([1, 2], $double)', value: [2, 4], reason: 'built-ins are values' },
    { source: '$double ~> $string ~> $length', value: 'E1005', reason: 'a function is no result' },
    { source: '($d := $double(?); $d(4))', value: 8, reason: 'partial application' },
    { source: '/a+/("caab").match', value: 'aa', reason: 'a pattern is a function' },
    { source: '$filter(["a", "b"], /b/)', value: 'b', reason: 'and can be handed to others' },
    { source: '/b/(?)("b").start', value: 0, reason: 'and partially applied' },
    { source: '($f := function(){ /a/("a").end }; $f())', value: 1, reason: 'also in tail position: lambda bodies' },
    {
      source: '($f := function($m, $t){ $m($t) }; $f(/a/, "a").end)',
      value: 1,
      reason: 'a pattern called in tail position',
    },
    {
      source: '($m := /a/; $f := function($t){ $m($t) }; $f("a").end)',
      value: 1,
      reason: 'and one that was not passed',
    },
    { source: '(function(){ $list })() = $list', value: true, reason: 'deep equality' },
  ]
  for (const { source, value, reason } of results) {
    it(`evaluates ${source}: ${reason}`, () => {
      expect(outcomeOf(compile(source))).to.deep.equal(value)
    })
  }

  it('gives every evaluation its own budget and state', () => {
    const expression = compile('($x := $x ?? 0; $count([1..400000]) + $x)')
    for (let round = 0; round < 3; round += 1) expect(evaluate(expression)).to.equal(400_000)
  })

  it('gives results that share nothing that can change', () => {
    const expression = compile('{"a": [1, {"b": 2}], "c": spec.ports}')
    const first = evaluate(expression) as { a: [number, { b: number }]; c: JsonValue }
    first.a[1].b = 99
    const second = evaluate(expression) as typeof first
    expect(second.a[1].b).to.equal(2)
    expect(Object.getPrototypeOf(second)).to.equal(Object.prototype)
    expect(second.c, 'what is frozen may be shared').to.equal(INPUT.spec.ports)
  })

  it('copies an input that is not frozen', () => {
    const input = { list: [{ a: 1 }] }
    const result = compile('list').evaluate({ input, variable: () => undefined })
    expect(result).to.deep.equal(input.list)
    expect(result).to.not.equal(input.list)
  })

  it('takes a list as one input', () => {
    const evaluateList = (source: string) => compile(source).evaluate({ input: [1, [2]], variable: () => undefined })
    expect(evaluateList('$')).to.deep.equal([1, [2]])
    expect(evaluateList('$string()')).to.equal('[1,[2]]')
    expect(evaluateList('$count($)')).to.equal(2)
  })

  it('stops at limits that are its own', () => {
    const limits = { steps: 100, depth: 500, bytes: 1e6 }
    const expression = compileExpression('[1..1000]', { functions: new Map(), limits })
    expect(() => evaluate(expression))
      .to.throw(ExpressionError)
      .with.property('phase', 'limit')
  })

  it('turns a defect of a function into an error of the language, with its cause', () => {
    const broken: ExpressionFunction = { ...double, name: 'broken', run: () => JSON.parse('{') }
    const expression = compileExpression('$broken(1)', { functions: new Map([['broken', broken]]) })
    expect(() => evaluate(expression))
      .to.throw(ExpressionError)
      .that.includes({ code: 'E1000' })
      .and.has.property('cause')
  })

  it('says of a function that overflows the stack that it nests too deeply', () => {
    const run = (): never => run()
    const expression = compileExpression('$deep(1)', {
      functions: new Map([['deep', { ...double, name: 'deep', run }]]),
    })
    expect(() => evaluate(expression))
      .to.throw(ExpressionError, 'nests too deeply')
      .that.includes({ code: 'E1003', phase: 'limit' })
  })

  const asTheLibrary: readonly { name: string; source: string }[] = [
    { name: 'a name that is given another value between others', source: '($a := 1; $b := 2; $a := 3; [$a, $b])' },
    { name: 'a sorted text as a list', source: '"cab"^($)[]' },
    { name: 'a sorted nothing as a list', source: 'missing^(a)[]' },
    { name: 'a parameter that would rather not', source: 'function($a, $b)<s??s?:s>{ [$a, $b] }("x")' },
    { name: 'several that would rather be few', source: 'function($a, $b)<n+?n+:n>{ [$a, $b] }(1, 2, 3)' },
    { name: 'a list of nulls', source: 'function($a)<a<l>:s>{ $a }([null])' },
    { name: 'a choice that is not closed', source: 'function($a)<(s>{ $a }("a")' },
    { name: 'a half of the day as a number', source: '$fromMillis(0, "[P01]")' },
  ]
  for (const { name, source } of asTheLibrary) {
    it(`takes ${name} as the library does`, async () => {
      const answer = await evaluateWithLibrary(source, { input: INPUT })
      expect(answer).not.to.have.property('code')
      const { value } = answer as { value?: unknown }
      expect(evaluate(compile(source))).to.deep.equal(
        value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
      )
    })
  }

  const said: readonly { source: string; message: string }[] = [
    { source: '$zip()', message: 'argument 1 does not match' },
    { source: '$substring("a", 1, 2, 3)', message: 'argument 4 does not match' },
    { source: '$substring("a", "b")', message: 'argument 2 does not match' },
    { source: 'function($a)<a<l>:s>{ $a }([1])', message: 'argument 1 of the function must be a list of other items' },
    { source: 'function($a)<a<n>:s>{ $a }(["a"])', message: 'argument 1 of the function must be a list of numbers' },
  ]
  for (const { source, message } of said) {
    it(`says which argument is wrong: ${source}`, () => {
      expect(() => evaluate(compile(source))).to.throw(ExpressionError, message)
    })
  }

  it('never says a value of the data in an error', () => {
    const input = { secret: 'hunter2' }
    for (const source of [
      '$number(secret)',
      'secret + 1',
      '{secret: 1, "a": -secret}',
      'secret.$sum()',
      '$toMillis(secret)',
    ]) {
      const run = () => compile(source).evaluate({ input, variable: () => undefined })
      expect(run, source).to.throw(ExpressionError).with.property('message').that.does.not.include('hunter2')
    }
  })
})

const double: ExpressionFunction = {
  name: 'double',
  signature: '<n-:n>',
  doc: '',
  example: '',
  run: (_call, [value]) => Number(value) * 2,
}

function compile(source: string): Expression {
  return compileExpression(source, { functions: new Map([['double', double]]) })
}

function evaluate(expression: Expression): JsonValue | undefined {
  return expression.evaluate({ input: INPUT, variable: (name) => VARIABLES[name] })
}

function outcomeOf(expression: Expression): JsonValue | undefined {
  try {
    return evaluate(expression)
  } catch (error) {
    if (error instanceof ExpressionError) return error.code
    throw error
  }
}
