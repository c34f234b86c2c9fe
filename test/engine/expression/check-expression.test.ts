import { expect } from 'chai'
import { checkExpression, type ExpressionProblem } from '../../../src/engine/expression/check-expression.ts'
import type { ExpressionFunction } from '../../../src/engine/expression/function-table.ts'

const dnsName: ExpressionFunction = { name: 'dnsName', signature: '<as?:s>', doc: '', example: '', run: () => '' }

const options = {
  functions: new Map([['dnsName', dnsName]]),
  variables: new Set(['labels', 'deployment', 'item']),
  rootFields: new Set(['apiVersion', 'kind', 'metadata', 'spec']),
}

interface Case {
  readonly source: string
  readonly problems: readonly Partial<ExpressionProblem>[]
}

const fine: readonly string[] = [
  'spec.size',
  '$.spec.size',
  '$$.metadata.name',
  '$labels.app',
  '$dnsName(["a"])',
  '$deployment ~> $string()',
  '$map($item, $uppercase)',
  '($x := 1; $x + 1)',
  '($f := function($n){ $n = 0 ? 1 : $f($n - 1) }; $f(3))',
  '($even := function($n){ $odd($n) }; $odd := function($n){ $even($n) }; 1)',
  'spec.ports@$p.containers#$i[$p.name = name].{"i": $i}',
  'spec.ports#$i[$i < 2]',
  'spec.ports[name = "http"].anything',
  'spec.ports^(anything)',
  'spec.ports{name: port}',
  'spec.ports.(other)',
  'spec.ports.{"k": other}',
  '$map(spec.ports, function($p, $i){ $p.port + $i })',
  'function($a){ $a }(1)',
  '$labels[other = 1]',
  '$labels.(other)',
  'spec.a.%.b',
  '/* $nope */ 1',
  '"$nope"',
  '`spec`.size',
  '(spec.a; spec.b)',
  '$substring(?, 1) ~> $map(["a"], ?)',
]

const meant: readonly { readonly source: string; readonly hint: string | undefined }[] = [
  { source: '$substr("a", 1)', hint: 'did you mean $substring?' },
  { source: '$toUpper("a")', hint: 'did you mean $uppercase?' },
  { source: '$lower("a")', hint: 'did you mean $lowercase?' },
  { source: '$str(1)', hint: 'did you mean $string?' },
  { source: '$Uppercase("a")', hint: 'did you mean $uppercase?' },
  { source: '$b64enc("a")', hint: 'did you mean $base64encode?' },
  { source: '$flor(1)', hint: 'did you mean $floor?' },
  { source: '$default(1, 2)', hint: 'a default is given by `??`: `spec.a ?? "x"`' },
  { source: '$len("a")', hint: '`$length(…)` is the size of a text, `$count(…)` of a list' },
  { source: '$concat("a", "b")', hint: 'texts are joined by `&`, lists by `$append(…)`' },
  { source: '$sha256sum("a")', hint: undefined },
  { source: '$toString2x(1)', hint: undefined },
  { source: '$constructor(1)', hint: undefined },
  { source: '$frobnicate(1)', hint: undefined },
  { source: '$labls.a', hint: 'did you mean $labels?' },
  { source: '$zzzzzz', hint: 'there are $labels, $deployment, $item' },
]

const cases: readonly Case[] = [
  { source: '', problems: [{ code: 'syntax', position: 0 }] },
  { source: 'spec.', problems: [{ code: 'syntax', position: 5 }] },
  { source: 'spec size', problems: [{ code: 'syntax', position: 5, length: 4 }] },
  { source: '(1', problems: [{ code: 'syntax', position: 2 }] },
  { source: '"a', problems: [{ code: 'syntax', position: 2 }] },
  { source: 'spec ~ a', problems: [{ code: 'syntax', position: 5, length: 1 }] },
  { source: '$match("a", /[z-a]/)', problems: [{ code: 'syntax', position: 19 }] },
  { source: '$match("a", /(?=a)/)', problems: [{ code: 'syntax', position: 19 }] },
  { source: '%', problems: [{ code: 'syntax', position: 0 }] },
  { source: '('.repeat(200), problems: [{ code: 'too-large' }] },
  { source: 'a'.repeat(100_000), problems: [{ code: 'too-large', position: 0 }] },
  { source: `1${'+1'.repeat(300)}`, problems: [{ code: 'too-large' }] },
  { source: '$nope', problems: [{ code: 'unknown-variable', position: 0, length: 5 }] },
  {
    source: 'spec.a & $label.app',
    problems: [{ code: 'unknown-variable', position: 9, length: 6, hint: 'did you mean $labels?' }],
  },
  {
    source: '$dnsname(["a"])',
    problems: [{ code: 'unknown-function', position: 0, length: 8, hint: 'did you mean $dnsName?' }],
  },
  { source: '$uppercas("a")', problems: [{ code: 'unknown-function', hint: 'did you mean $uppercase?' }] },
  { source: '1 + $zzz(1)', problems: [{ code: 'unknown-function', position: 4, length: 4 }] },
  {
    source: '$map([1], $uppercas)',
    problems: [{ code: 'unknown-variable', position: 10, hint: 'did you mean $uppercase?' }],
  },
  { source: '$labels("a")', problems: [{ code: 'unknown-function', position: 0, length: 7 }] },
  { source: '($x := 1) + $x', problems: [{ code: 'unknown-variable', position: 12, length: 2 }] },
  { source: 'function($a){ $b }', problems: [{ code: 'unknown-variable', position: 14, length: 2 }] },
  { source: '[function($a){ $a }, $a]', problems: [{ code: 'unknown-variable', position: 21 }] },
  { source: '$eval("1")', problems: [{ code: 'refused-function', position: 0, length: 5 }] },
  { source: '$map(["1"], $eval)', problems: [{ code: 'refused-function', position: 12, length: 5 }] },
  { source: 'spec.a & $now()', problems: [{ code: 'refused-function', position: 9, length: 4 }] },
  { source: '$ ~> |spec|{"a": 1}|', problems: [{ code: 'refused-construct', position: 5, length: 1 }] },
  { source: 'sepc.size', problems: [{ code: 'unknown-path', position: 0, length: 4, hint: 'did you mean spec?' }] },
  { source: 'labels.app', problems: [{ code: 'unknown-path', position: 0, length: 6, hint: 'did you mean $labels?' }] },
  {
    source: 'deploymnt.status',
    problems: [{ code: 'unknown-path', position: 0, length: 9, hint: 'did you mean $deployment?' }],
  },
  {
    source: 'uppercase(spec.a)',
    problems: [{ code: 'foreign-syntax', position: 0, length: 17, hint: 'write `${$uppercase(spec.a)}`' }],
  },
  { source: 'status.ready', problems: [{ code: 'unknown-path', position: 0, length: 6 }] },
  { source: '$.status', problems: [{ code: 'unknown-path', position: 2, length: 6 }] },
  { source: 'spec.a[$$.stats = 1]', problems: [{ code: 'unknown-path', position: 10, length: 5 }] },
  { source: '`my spec`.size', problems: [{ code: 'unknown-path', position: 0, length: 9 }] },
  {
    source: '$count(nodes) > 1 ? nodes : spec',
    problems: [
      { code: 'unknown-path', position: 7 },
      { code: 'unknown-path', position: 20 },
    ],
  },
  { source: 'nodes ?? 1', problems: [{ code: 'unknown-path', position: 0 }] },
  {
    source: '[nodes, $nope, $now()]',
    problems: [{ code: 'unknown-path' }, { code: 'unknown-variable' }, { code: 'refused-function' }],
  },
]

describe('checkExpression', () => {
  for (const source of fine) {
    it(`finds nothing wrong with ${source}`, () => {
      expect(checkExpression(source, options)).to.deep.equal([])
    })
  }

  for (const { source, problems } of cases) {
    const shown = source.length > 60 ? `${source.slice(0, 57)}...` : source
    it(`says what is wrong with ${JSON.stringify(shown)}`, () => {
      const found = checkExpression(source, options)
      expect(found.map(({ code }) => code)).to.deep.equal(problems.map(({ code }) => code))
      problems.forEach((problem, index) => {
        for (const [key, value] of Object.entries(problem)) expect(found[index]).to.have.property(key, value)
      })
    })
  }

  it('leaves fields alone when they are not known', () => {
    const { functions, variables } = options
    expect(checkExpression('anything.at.all', { functions, variables })).to.deep.equal([])
  })

  it('says in words why a function is refused', () => {
    const [problem] = checkExpression('$eval("1")', options)
    expect(problem?.message).to.equal('$eval is not in the language: text is data, never code')
  })
})

describe('a name that there is not', () => {
  for (const { source, hint } of meant)
    it(source, () => expect(checkExpression(source, options).map((one) => one.hint)).to.deep.equal([hint]))

  const withNames = (...names: readonly string[]) =>
    checkExpression('$zzzzzz', { ...options, variables: new Set(names) }).map(({ hint }) => hint)

  it('has no hint where one variable is visible', () => expect(withNames('watch')).to.deep.equal([undefined]))
  it('has some of many variables as its hint', () => {
    expect(withNames(...'abcdefghij')).to.deep.equal(['there are $a, $b, $c, $d, $e, $f, $g, $h, …'])
  })
})
