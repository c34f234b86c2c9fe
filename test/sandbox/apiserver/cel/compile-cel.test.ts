import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { CelCompileError, CelCostError, CelRuntimeError } from '../../../../src/sandbox/apiserver/cel/cel-error.ts'
import { type CelType, DYN, INT, listOf, objectType, STRING } from '../../../../src/sandbox/apiserver/cel/cel-type.ts'
import { compileCel } from '../../../../src/sandbox/apiserver/cel/compile-cel.ts'
import { fromCel } from '../../../../src/sandbox/apiserver/cel/json.ts'
import { long } from '../../../support/long-tests.ts'

const SELF: JsonValue = { a: 1, b: [1, 2, 3], c: { d: 'x' }, s: 'a'.repeat(40) }

function evaluate(source: string): JsonValue {
  const program = compileCel(source, { variables: { self: DYN } })
  return fromCel(program.evaluate({ self: { json: SELF } }).value)
}

describe('compileCel', () => {
  const values: Readonly<Record<string, JsonValue>> = {
    'self.b.map(x, x * 2).filter(y, y > 2)': [4, 6],
    'self.b.map(x, self.b.map(x, x + 1))[2]': [2, 3, 4],
    'self.b.exists(x, x / 0 == 1) || self.b.exists(x, x == 3)': true,
    '[1, 2].exists(x, 1 / (x - 1) == 1 || x == 2)': true,
    'true || 1 / 0 == 1': true,
    'self.?c.?e.orValue("none")': 'none',
    '[?self.?z, ?self.?a]': [1],
    '{"k": dyn(1), ?"z": self.?z}': { k: 1 },
    'optional.of(1).optMap(x, x + 1).value()': 2,
    'self.b.transformMapEntry(i, v, {string(v): i})': { 1: 0, 2: 1, 3: 2 },
    "\"\\u00e4\\x41\" + r\"\\d\" + '''it's'''": String.raw`äA\dit's`,
    '// a comment\n1 + 2': 3,
    '-(-3) - 1': 2,
    '7 / 2 * 2 + 7 % 2': 7,
  }
  for (const [source, expected] of Object.entries(values)) {
    it(`${source} is ${JSON.stringify(expected)}`, () => expect(evaluate(source)).to.deep.equal(expected))
  }

  const failures: Readonly<Record<string, string>> = {
    'self.z': 'no such key: z',
    '[?dyn(self.a)]': 'cannot initialize optional entry from non-optional value',
    'self.b[3]': 'index out of bounds: 3',
    '1 / (self.a - 1)': 'division by zero',
    '9223372036854775807 + self.a': 'integer overflow',
    'self.c.d > 1': 'no such overload',
    'optional.none().value()': 'optional.none() dereference',
  }
  for (const [source, message] of Object.entries(failures)) {
    it(`${source} fails: ${message}`, () => expect(() => evaluate(source)).to.throw(CelRuntimeError, message))
  }

  it('reports every mistake with its place', () => {
    const compile = () => compileCel('nope ||\n foo(self)', { variables: { self: DYN } })
    expect(compile).to.throw(CelCompileError, /<input>:1:1: undeclared[\s\S]*\n \| \^[\s\S]*<input>:2:5: undeclared/)
  })

  long.it('ends what takes too long', () => {
    const loop = '['.concat(Array.from({ length: 50 }, (_, at) => at).join(), ']')
    const source = ['a', 'b', 'c', 'd'].reduceRight((inner, name) => `${loop}.map(${name}, ${inner})`, 'a + b + c + d')
    expect(() => evaluate(`${source}.size()`)).to.throw(CelCostError)
    expect(() => evaluate('self.s.matches("(a+)+$") && !self.s.matches("(a+)+b$")')).not.to.throw()
    expect(() => evaluate(`${'('.repeat(300)}1${')'.repeat(300)}`)).to.throw(CelCompileError, 'recursion limit')
  })

  it('makes objects of named types', () => {
    const spec = objectType('Object.spec', new Map<string, CelType>([['replicas', INT]]))
    const object = objectType('Object', new Map<string, CelType>([['spec', spec]]))
    const types = { Object: object, 'Object.spec': spec }
    const program = compileCel('Object{spec: Object.spec{replicas: n + 1}}', { variables: { n: INT }, types })
    expect(fromCel(program.evaluate({ n: { json: 2 } }).value)).to.deep.equal({ spec: { replicas: 3 } })
    expect(() => compileCel('Object{spek: 1}', { variables: {}, types })).to.throw(
      CelCompileError,
      "undefined field 'spek'",
    )
  })

  it('asks for a variable when it is needed, and once', () => {
    let asked = 0
    const program = compileCel('self > 1 && self < 9', { variables: { self: INT, other: listOf(STRING) } })
    const self = () => {
      asked += 1
      return 5n
    }
    expect(program.evaluate({ self }).value).to.equal(true)
    expect([asked, program.variables]).to.deep.equal([1, new Set(['self'])])
  })
})
