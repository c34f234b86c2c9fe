import { expect } from 'chai'
import { CelCompileError } from '../../../../src/sandbox/apiserver/cel/cel-error.ts'
import { INT, objectType } from '../../../../src/sandbox/apiserver/cel/cel-type.ts'
import { compileCel } from '../../../../src/sandbox/apiserver/cel/compile-cel.ts'

const REFUSALS: Readonly<Record<string, string>> = {
  "'%'.format([])": 'unexpected end of string',
  "'%'.format(['a'])": 'unexpected end of string',
  "('%s %s').format(['a'])": 'index 1 out of range',
  'string(type(1))': "found no matching overload for 'string' applied to '(type(int))'",
  'duration(1)': 'invalid duration argument',
  "timestamp('x')": 'invalid timestamp argument',
  'timestamp(253402300800)': 'invalid timestamp argument',
  "string(timestamp('2024-02-30T00:00:00Z'))": 'invalid timestamp argument',
  "string(timestamp('2024-01-02T24:00:00Z'))": 'invalid timestamp argument',
  "string(timestamp('2024-99-02T03:04:05Z'))": 'invalid timestamp argument',
  "dyn([1, 'a']).sort()": "expected type 'int' but found 'string'",
  '[[1], [2, [3]]].flatten(2)': "expected type 'list(int)' but found 'list(dyn)'",
  "null in {'a': 1}": "found no matching overload for '@in' applied to '(null, map(string, int))'",
  "quantity('-1').sign()": "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
  "'a'.matches('(')": 'invalid matches argument',
  "dyn(['a', 1]).join(',')": "expected type 'string' but found 'int'",
  '[1, 2][1u]': "found no matching overload for '_[_]' applied to '(list(int), uint)'",
  '[1, 2][1.0]': "found no matching overload for '_[_]' applied to '(list(int), double)'",
  "'\\ud800'": 'invalid unicode code point',
  "'\\U00110000'": 'invalid unicode code point',
  "b'\\u00e4'.size()": 'unable to unescape string',
  "'\\q'": "Syntax error: token recognition error at: ''\\q'",
  "b'\\q'": "Syntax error: token recognition error at: ''\\q'",
  "rb'a'.size()": "Syntax error: mismatched input ''a'' expecting <EOF>",
  "b'\\477'": "Syntax error: token recognition error at: ''\\4'",
  "'\\477'": "Syntax error: token recognition error at: ''\\4'",
  '9223372036854775808': 'invalid int literal',
  '-9223372036854775809': 'invalid int literal',
  '18446744073709551616u': 'invalid uint literal',
  '-1u': "found no matching overload for '-_' applied to '(uint)'",
  '[1 2]': "Syntax error: extraneous input '2' expecting {']', ','}",
  "{'a': 1 'b': 2}": "Syntax error: mismatched input ''b'' expecting {'}', ','}",
  '1 2': "Syntax error: extraneous input '2' expecting <EOF>",
  '1 2 3': "Syntax error: mismatched input '2' expecting <EOF>",
  "'a'{}": "Syntax error: mismatched input '{' expecting <EOF>",
  '[1]{a: 1}': "Syntax error: mismatched input '{' expecting <EOF>",
  'a.b{c: 1}': "undeclared reference to 'a.b' (in container '')",
  'int{}': "'int' is not a message type",
  'a{b: 1 c: 2}': "Syntax error: mismatched input 'c' expecting {'}', ','}",
  'a{b: 1,}': "undeclared reference to 'a' (in container '')",
  'self.': "Syntax error: no viable alternative at input '.'",
  'self.1': "Syntax error: extraneous input '.1' expecting <EOF>",
  'self.true': "Syntax error: mismatched input 'true' expecting IDENTIFIER",
  'has(self)': 'invalid argument to has() macro',
  'has()': "undeclared reference to 'has' (in container '')",
  'has(1, 2)': "undeclared reference to 'has' (in container '')",
  '[1].map(1, x)': 'argument is not an identifier',
  '[1].all(1, true)': 'argument must be a simple name',
  '[1].all(a, a, true)': 'duplicate variable name: a',
  '[1].all(__result__, true)': 'iteration variable overwrites accumulator variable',
  '[1].map(__result__, 1)': 'iteration variable overwrites accumulator variable',
  '[1].exists(@result, true)': "Syntax error: token recognition error at: '@'",
  '[1].filter(1, true)': 'argument is not an identifier',
  'optional.of(1).optMap(1, 2)': 'optMap() variable name must be a simple identifier',
  'optional.of(1).optFlatMap(1, optional.of(2))': 'optFlatMap() variable name must be a simple identifier',
  '[?1]': "expected type 'optional_type(int)' but found 'int'",
  "[1, 'a']": "expected type 'int' but found 'string'",
  "[?optional.of(1), ?optional.of('a')]": "expected type 'int' but found 'string'",
  "{'a': 1, 'b': 'c'}": "expected type 'int' but found 'string'",
  "'%z'.format(['a'])": 'could not parse formatting clause: unrecognized formatting clause "z"',
  "'%s'.format([1, 2])": 'too many arguments supplied to string.format (expected 1, got 2)',
  "'%d'.format(['a'])": 'error during formatting: decimal clause can only be used on integers, was given string',
  "'%s %s'.format(['a'])": 'index 1 out of range',
  "'%.3'.format(['a'])":
    'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
  "duration('x')": 'invalid duration argument',
  '1.foo': "type 'int' does not support field selection",
  '(1).foo': "type 'int' does not support field selection",
  '[1].foo': "type 'list(int)' does not support field selection",
  'size(1).b': "found no matching overload for 'size' applied to '(int)'",
  'null == 1': "found no matching overload for '_==_' applied to '(null, int)'",
  "[null, duration('1s')].size()": "expected type 'null' but found 'duration'",
  "[duration('1s'), null].size()": "expected type 'duration' but found 'null'",
  '[int, string].size()': "expected type 'type(int)' but found 'type(string)'",
  '[dyn(1), 1].size()': "expected type 'dyn' but found 'int'",
  "true ? 1 : 'a'": "found no matching overload for '_?_:_' applied to '(bool, int, string)'",
  "1 + 'a'": "found no matching overload for '_+_' applied to '(int, string)'",
  'nope(1)': "undeclared reference to 'nope' (in container '')",
  "'a'.nope()": "undeclared reference to 'nope' (in container '')",
  '1 && true': "expected type 'bool' but found 'int'",
  "true || 'a'": "expected type 'bool' but found 'string'",
  'a = 1': "Syntax error: token recognition error at: '= '",
  'a & b': "Syntax error: token recognition error at: '& '",
  é: "Syntax error: token recognition error at: 'é'",
  '@': "Syntax error: token recognition error at: '@'",
  '#a': "Syntax error: token recognition error at: '#'",
  $: "Syntax error: token recognition error at: '$'",
  'x\t\ty': "Syntax error: extraneous input 'y' expecting <EOF>",
  'é.é': "Syntax error: token recognition error at: 'é'",
}

describe('expressions that are refused, in the words of the real server', () => {
  const self = objectType('Self', new Map([['a', INT]]))
  for (const [source, message] of Object.entries(REFUSALS)) {
    it(`${source}: ${message.slice(0, 60)}`, () => {
      expect(() => compileCel(source, { variables: { self } })).to.throw(CelCompileError, message)
    })
  }

  it('cel.bind(1, 2, 3), where names can be bound: a number is no name', () => {
    const bind = (): unknown => compileCel('cel.bind(1, 2, 3) == self.a', { variables: { self }, bindsNames: true })
    expect(bind).to.throw(CelCompileError, ':1:10: cel.bind() variable names must be simple identifiers')
  })
})
