import { expect } from 'chai'
import { asRead, type Flow, FROM_CLUSTER, worstOf } from '../../../src/engine/expression/flow/flow.ts'
import { inferFlow } from '../../../src/engine/expression/flow/infer-flow.ts'
import type { ExpressionFunction } from '../../../src/engine/expression/function-table.ts'

const HIDDEN: Flow = { rest: { origin: 'secret', trail: [{ name: 'x', file: 'role.yaml', line: 1 }] } }
const VARIABLES: Readonly<Record<string, Flow>> = {
  s: HIDDEN,
  o: { rest: FROM_CLUSTER.rest, fields: new Map([['data', HIDDEN]]) },
  r: FROM_CLUSTER,
}
/** A function that reads variables that its literal text names. */
const fill: ExpressionFunction = {
  name: 'fill',
  signature: '<s:s>',
  doc: '',
  example: '',
  run: () => '',
  reads: (text) => ({ variables: new Set(text.split(' ')), inputPaths: [] }),
}

function flowOf(source: string): ReturnType<typeof inferFlow> {
  return inferFlow(source, { functions: new Map([['fill', fill]]), variable: (name) => VARIABLES[name] })
}

/** What flows into the whole value: role, read or secret. */
const CASES: readonly (readonly [string, string])[] = [
  ['a.b', 'role'],
  ['$r', 'read'],
  ['$o.name', 'read'],
  ['$o.data', 'secret'],
  ['-$s', 'secret'],
  ['[1, $s]', 'secret'],
  ['$s in [1]', 'role'],
  ['$o^(data).name', 'read'],
  ['$o#$i.($i)', 'role'],
  ['$o[0].name', 'read'],
  ['$o[name]#$i.($i)', 'role'],
  ['$map($s, $r)', 'secret'],
  ['a ? $s', 'secret'],
  ['$s.($)', 'secret'],
  ['$s ~> $substring(0, 2)', 'secret'],
  ['$o{name: data}', 'secret'],
  ["$o{'k': name}", 'read'],
  ["$lookup($o, 'name')", 'read'],
  ['$lookup($o, $r)', 'secret'],
  ['$lookup()', 'role'],
  ['$distinct()', 'role'],
  ['$distinct($s)', 'secret'],
  ['$condition($o, "A")', 'read'],
  ['$condition()', 'role'],
  ['$keys()', 'role'],
  ['$entries()', 'role'],
  ['$entries($o).value', 'secret'],
  ['$map([$s], $uppercase)', 'secret'],
  ['$map()', 'role'],
  ['$each()', 'role'],
  ['$reduce()', 'role'],
  ['$reduce([1], function($a, $b) { $a + $b }, $s)', 'secret'],
  ['$append()', 'role'],
  ['(a ? function($x) { $x } : function($x) { 1 })($s)', 'secret'],
  ['(a ? function($x) { $x } : 1)($s)', 'secret'],
  ['($f := function($x, $y) { $y }; $f($s))', 'role'],
  ['($f := $r; $f($s))', 'secret'],
  ['$s ~> $r', 'secret'],
  ['$s ~> function($x) { $length($x) }', 'role'],
  ['($f := $length ~> $string; $f($s))', 'role'],
  ['$fill("r")', 'read'],
  ['$fill("s other")', 'secret'],
  ['($f := function($x) { $f($x) & $f($x) }; $f($s))', 'secret'],
  ['a ?: $s', 'secret'],
  ['$match($s, /a/).match', 'secret'],
]

describe('what flows into an expression', () => {
  for (const [source, origin] of CASES) {
    it(`is ${origin}: ${source}`, () => expect(worstOf(flowOf(source).value).origin).to.equal(origin))
  }

  const ERRORS: readonly (readonly [string, string])[] = [
    ['$error($s)', 'secret'],
    ['$error()', 'role'],
    ['$assert(a, $s)', 'secret'],
    ['$assert($s = 1, b)', 'role'],
    ['$o[$error(data)].name', 'secret'],
  ]
  for (const [source, origin] of ERRORS) {
    it(`reaches an error: ${source} (${origin})`, () => expect(flowOf(source).errors.origin).to.equal(origin))
  }

  it('is never less than read once it is taken for that, names of fields included', () => {
    const { rest, names } = asRead(flowOf('{a: 1}').value)
    expect([rest.origin, names?.origin]).to.deep.equal(['read', 'read'])
    expect(asRead({ rest: HIDDEN.rest, names: HIDDEN.rest }).names?.origin).to.equal('secret')
    expect(asRead(FROM_CLUSTER).names?.origin).to.equal('read')
  })

  it('knows what is read even where nothing of it flows', () => {
    expect(flowOf('$length($s)').reads.origin).to.equal('secret')
    expect(flowOf('$length($fill("r"))').reads.origin).to.equal('read')
    expect(flowOf('$length(a)').reads.origin).to.equal('role')
  })

  it('follows values that stand in each other a thousand million times, a secret among them, too', () => {
    const steps = Array.from({ length: 40 }, (_, at) => `$v${at + 1} := {"l": $v${at}, "r": $v${at}}`)
    const nested = (leaf: string): string => `($v0 := {"a": ${leaf}}; ${steps.join('; ')}; $v40)`
    expect(worstOf(flowOf(nested('$s')).value).origin).to.equal('secret')
    expect(worstOf(flowOf(nested('$r')).value).origin).to.equal('read')
    const grown = '($b := function($n){$n = 0 ? {"a": $s} : ($x := $b($n-1); {"l":$x,"r":$x})}; $b(40))'
    expect(worstOf(flowOf(grown).value).origin).to.equal('secret')
  })
})
