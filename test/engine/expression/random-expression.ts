import fc from 'fast-check'
import type { JsonValue } from '../../../src/core/base/json.ts'

/** Variables that random expressions may use. */
export const VARIABLES = {
  list: [3, 1, 2],
  text: 'web-7',
  object: {
    name: 'x',
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53 },
    ],
  },
}

const names = [
  'metadata',
  'name',
  'labels',
  'app',
  'spec',
  'replicas',
  'ports',
  'port',
  'containers',
  'image',
  'env',
  'value',
]

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom('web', 'db', '', 'http', 'a-b', 'nginx:1.2'),
  fc.boolean(),
  fc.constantFrom(null, 0.5, -2.25),
)

/** Resources as an API server has them, with holes, odd types and lists of none and one. */
export const randomInput: fc.Arbitrary<JsonValue> = fc
  .letrec<{ node: JsonValue }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 4, noNullPrototype: true }),
      fc.array(
        fc.record({ name: scalar, value: scalar, port: fc.integer({ min: -9, max: 99 }) }, { requiredKeys: [] }),
        { maxLength: 4 },
      ),
    ),
  }))
  .node.chain((node) =>
    fc.record({ metadata: likely(node), spec: likely(node), ports: likely(node), name: scalar }, { requiredKeys: [] }),
  )

function likely(other: JsonValue): fc.Arbitrary<JsonValue> {
  const port = fc.record({ name: fc.constantFrom('http', 'dns', 'web'), port: fc.integer({ min: 1, max: 99 }) })
  const labels = fc.record({ app: fc.constantFrom('web', 'db') }, { requiredKeys: [] })
  const object = fc.record(
    {
      name: fc.constantFrom('web', 'db'),
      labels,
      replicas: fc.integer({ min: 0, max: 5 }),
      ports: fc.array(port, { maxLength: 3 }),
      containers: fc.array(
        fc.record({ name: fc.constantFrom('a', 'b'), image: fc.constant('i'), env: fc.array(port, { maxLength: 2 }) }),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  )
  return fc.oneof(
    object as fc.Arbitrary<JsonValue>,
    fc.array(port, { maxLength: 4 }) as fc.Arbitrary<JsonValue>,
    fc.constant(other),
  )
}

type Part = fc.Arbitrary<string>

const name = fc.constantFrom(...names)
const literal = fc.constantFrom(
  '0',
  '1',
  '2',
  '-1',
  '1.5',
  '""',
  '"a"',
  '"web"',
  '"http"',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '100',
)
const variable = fc.constantFrom('$', '$$', '$list', '$text', '$object', '$object.ports', '$object.name', '$nope')

/** JSONata from its grammar: every kind of node, and sense only by chance. */
export const randomExpression: Part = fc.letrec<{ any: string; path: string; step: string; small: string }>((tie) => {
  const [any, path, step, small] = [tie('any'), tie('path'), tie('step'), tie('small')]
  return {
    small: fc.oneof(literal, name, variable, text`${name}.${name}`, text`${name}.${name}.${name}`),
    step: fc.oneof(
      { weight: 6, arbitrary: name },
      {
        weight: 1,
        arbitrary: fc.constantFrom('*', '**', '$', '$string()', '$type($)', '$uppercase()', '`name`', '"name"'),
      },
      { weight: 1, arbitrary: text`(${any})` },
      { weight: 1, arbitrary: text`{"k": ${small}, "n": ${any}}` },
      { weight: 1, arbitrary: text`[${any}]` },
      { weight: 1, arbitrary: text`{$string(${small}): ${any}}` },
    ),
    path: fc.oneof(
      { depthSize: 'small' },
      text`${step}.${step}`,
      text`${step}.${step}.${step}`,
      text`${name}[${any}]`,
      text`${path}[${any}]`,
      text`${path}[0]`,
      text`${path}[-1]`,
      text`${path}[[0..1]]`,
      text`${path}[]`,
      text`${path}.${step}[]`,
      text`${path}^(${small})`,
      text`${path}^(>${small}, ${small})`,
      text`${path}{$string(${small}): ${any}}`,
      text`${variable}.${step}`,
      text`${name}.${name}#$i.{"i": $i, "n": ${small}}`,
      text`${name}.${name}@$p.{"p": $p, "o": ${small}}`,
      text`${name}@$p.${name}@$q[$p.name = $q.name].{"p": $p.name, "q": $q.port}`,
      text`${name}.${name}#$i[$i = ${literal}]`,
      text`${name}.${name}.{"own": ${small}, "parent": %.${name}}`,
      text`${name}.${name}.${name}.%.%.${name}`,
      text`${name}.${name}[%.${name} = ${small}]`,
      text`(${any}).${step}`,
    ),
    any: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      small,
      { weight: 3, arbitrary: path },
      { weight: 2, arbitrary: binary(any) },
      text`(${any})`,
      text`(${any}; ${any})`,
      text`-${small}`,
      text`(${any} ? ${any} : ${any})`,
      text`(${any} ? ${any})`,
      text`(${any} ?? ${any})`,
      text`(${any} ?: ${any})`,
      text`[${any}, ${any}]`,
      text`[${small}..${small}]`,
      text`{"a": ${any}, "b": ${any}}`,
      text`($x := ${any}; $x)`,
      text`($x := ${any}; [$x, $x.${name}])`,
      { weight: 3, arbitrary: call(any) },
    ),
  }
}).any

function binary(operand: Part): Part {
  const operator = fc.constantFrom('+', '-', '*', '/', '%', '&', '=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in')
  return text`(${operand} ${operator} ${operand})`
}

function call(arg: Part): Part {
  const unary = fc.constantFrom(
    ...[
      'string',
      'count',
      'exists',
      'boolean',
      'not',
      'type',
      'keys',
      'sum',
      'max',
      'length',
      'uppercase',
      'number',
      'reverse',
    ],
    ...['distinct', 'merge', 'spread', 'sort', 'join', 'trim', 'abs', 'floor', 'average', 'min'],
  )
  return fc.oneof(
    { weight: 4, arbitrary: text`$${unary}(${arg})` },
    text`$append(${arg}, ${arg})`,
    text`$lookup(${arg}, "name")`,
    text`$zip(${arg}, ${arg})`,
    text`$contains(${arg}, ${arg})`,
    text`$split(${arg}, "-")`,
    text`$replace(${arg}, /[a-b]+/, "<$0>")`,
    text`$match(${arg}, /(w)(.)/)`,
    text`$join(${arg}, ${arg})`,
    text`$substring(${arg}, 1, 2)`,
    text`$map(${arg}, function($v, $i){ [$i, $v] })`,
    text`$map(${arg}, function($v){ (${arg}) })`,
    text`$map(${arg}, $${unary})`,
    text`$filter(${arg}, function($v){ $exists($v.name) })`,
    text`$filter(${arg}, function($v, $i){ $i < 2 })`,
    text`$reduce(${arg}, function($l, $r){ $string($l) & $string($r) })`,
    text`$reduce(${arg}, function($l, $r){ [$l, $r] }, ${arg})`,
    text`$each(${arg}, function($v, $k){ $k & $string($v) })`,
    text`$sift(${arg}, function($v){ $type($v) = "string" })`,
    text`$sort(${arg}, function($l, $r){ $string($l) > $string($r) })`,
    text`$single(${arg}, function($v){ $v = 1 })`,
    text`(${arg} ~> $${unary}())`,
    text`(${arg} ~> $${unary})`,
    text`(function($a, $b){ $a & $b })(${arg}, ${arg})`,
    text`(function($a)<a<n>:n>{ $sum($a) })(${arg})`,
    text`(function($a)<s-:s>{ $a })()`,
    text`($f := function($n){ $n < 3 ? $f($n + 1) : $n }; $f(${arg}))`,
    text`($f := $append(?, ${arg}); $f(${arg}))`,
    text`($f := $string ~> $length; $f(${arg}))`,
  )
}

/** A template of parts: what is written stays, what is embedded is random. */
function text(literals: TemplateStringsArray, ...parts: readonly Part[]): Part {
  return fc.tuple(...parts).map((chosen) => literals.reduce((all, piece, index) => all + chosen[index - 1] + piece))
}
