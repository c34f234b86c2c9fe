import { expect } from 'chai'
import { CelRuntimeError } from '../../../../src/sandbox/apiserver/cel/cel-error.ts'
import { compileCel } from '../../../../src/sandbox/apiserver/cel/compile-cel.ts'

const FAILURES: Readonly<Record<string, string>> = {
  "double('abc')": "type conversion error from 'string' to 'double'",
  "int('9223372036854775808')": "type conversion error from 'string' to 'int'",
  'int(9.3e18)': 'integer overflow',
  '[1, 2, 3].slice(2, 1)': 'cannot slice(2, 1), start index must be less than or equal to end index',
  "dyn([dyn(1), dyn('a')]).sort()": 'list elements must have the same type',
  "[dyn('a'), dyn(1)].join(',')": 'join: invalid input: 1',
  "dyn('%').format(['a'])": 'unexpected end of string',
  "'a%zb'.format(dyn(['a']))": 'could not parse formatting clause: unrecognized formatting clause "z"',
  "('%'+'z').format(['a'])": 'could not parse formatting clause: unrecognized formatting clause "z"',
  "('%'+'s').format([])": 'index 0 out of range',
  "('%'+'b').format(['a'])":
    'error during formatting: only integers and bools can be formatted as binary, was given string',
  "('%'+'o').format(['a'])": 'error during formatting: octal clause can only be used on integers, was given string',
  "('%'+'x').format([1.5])":
    'error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double',
  "('%'+'d').format(['a'])": 'error during formatting: decimal clause can only be used on integers, was given string',
  "('%'+'f').format(['a'])":
    'error during formatting: fixed-point clause can only be used on doubles, was given string',
  "('%'+'e').format([1])": 'error during formatting: scientific clause can only be used on doubles, was given int',
  "('%.'+'f').format([2.5])":
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  "('%'+'s').format([quantity('1')])":
    'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity',
  "('%'+'s').format([optional.of(1)])":
    'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
  '18446744073709551615u + 1u': 'unsigned integer overflow',
  '0u - 1u': 'unsigned integer overflow',
  "timestamp('9999-12-31T23:59:59Z') + duration('1s')": 'timestamp overflow',
  "timestamp('0001-01-01T00:00:00Z') - duration('1s')": 'timestamp overflow',
  "duration('2562047h') + duration('2562047h')": 'integer overflow',
  '9223372036854775807 + 1': 'integer overflow',
  '-(-9223372036854775807 - 1)': 'integer overflow',
  '1u / 0u': 'division by zero',
  '1 % 0': 'modulus by zero',
  '1u % 0u': 'modulus by zero',
  "cidr('10.0.0.0/33')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
  "cidr('10.0.0.0/1000')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/1000"): prefix length out of range',
  "cidr('10.0.0.0/08')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"',
  "cidr('10.0.0.0/+8')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/+8"): bad bits after slash: "+8"',
  "cidr('10.0.0.0')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no \'/\'',
  "cidr('::ffff:1.2.3.4/100')":
    'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/100" is not allowed',
  "cidr('10.0.0.0/')":
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""',
  "ip('fe80::1%eth0')": 'IP address "fe80::1%eth0" with zone value is not allowed',
  "ip('::ffff:1.2.3.4')": 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed',
  '[1, 2, 3].slice(-1, 2)': 'cannot slice(-1, 2), negative indexes not supported',
  '[1, 2, 3].slice(1, 4)': 'cannot slice(1, 4), list is length 3',
  '[].max()': 'max called on empty list',
  '[1].flatten(-1)': 'level must be non-negative',
  "double('nan') < 1.0": 'NaN values cannot be ordered',
  "1.0 <= double('nan')": 'NaN values cannot be ordered',
  'dyn(1).size()': 'no such overload: size',
  'size(dyn(1))': 'no such overload: size',
  "dyn(true) < dyn('a')": 'no such overload',
  "quantity('1.5').asInteger()": 'cannot convert value to integer',
  "quantity('')": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  "quantity('1ee')": "unable to parse quantity's suffix",
  "quantity('abc')": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  "quantity('1.2.3')": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  "quantity(' 1')": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  "quantity('9223372036854775808').asInteger()": 'cannot convert value to integer',
  "'a'.matches('('+'')": 'error parsing regexp: missing closing ): `(`',
  "'a'.find('('+'')": 'Illegal regex: error parsing regexp: missing closing ): `(`',
  "'a'.findAll('('+'')": 'Illegal regex: error parsing regexp: missing closing ): `(`',
  "semver('')": 'Version string empty',
  "semver('1.2')": 'No Major.Minor.Patch elements found',
  "semver('1.2.3.4')": 'Invalid character(s) found in patch number "3.4"',
  "semver('1.2.x')": 'Invalid character(s) found in patch number "x"',
  "semver('01.2.3')": 'Major number must not contain leading zeroes "01"',
  "semver('1.02.3')": 'Minor number must not contain leading zeroes "02"',
  "semver('1.2.03')": 'Patch number must not contain leading zeroes "03"',
  "semver('1.2.3-')": 'Prerelease is empty',
  "semver('1.2.3-a..b')": 'Prerelease is empty',
  "semver('1.2.3-a_b')": 'Invalid character(s) found in prerelease "a_b"',
  "semver('1.2.3-01')": 'Numeric PreRelease version must not contain leading zeroes "01"',
  "semver('1.2.3+')": 'Build meta data is empty',
  "semver('1.2.3+a_b')": 'Invalid character(s) found in build meta data "a_b"',
  "semver('a.2.3')": 'Invalid character(s) found in major number "a"',
  "semver('1-a.2.3')": 'Invalid character(s) found in major number "1-a"',
  "semver('1..3')": 'strconv.ParseUint: parsing "": invalid syntax',
  "semver('1.2-a.3')": 'Invalid character(s) found in minor number "2-a"',
  "semver('1.2.')": 'strconv.ParseUint: parsing "": invalid syntax',
  "semver('1.2.3+a+b')": 'Invalid character(s) found in build meta data "a+b"',
  "semver('1.2.3\\n')": 'Invalid character(s) found in patch number "3\\n"',
  "semver('v1.2.3', false)": 'Invalid character(s) found in major number "v1"',
  "semver('v1-a', true)": 'short version cannot contain PreRelease/Build meta data',
  "semver('v1.2+a', true)": 'short version cannot contain PreRelease/Build meta data',
  "semver('', true)": 'strconv.ParseUint: parsing "": invalid syntax',
  "semver('v', true)": 'strconv.ParseUint: parsing "": invalid syntax',
  "semver('1.2.3.4', true)": 'Invalid character(s) found in patch number "3.4"',
  "semver('99999999999999999999.1.1')": 'strconv.ParseUint: parsing "99999999999999999999": value out of range',
  "'abc'.indexOf('b', -1)": 'index out of range: -1',
  "'abc'.lastIndexOf('b', -1)": 'index out of range: -1',
  "'abc'.substring(2, 1)": 'invalid substring range. start: 2, end: 1',
  "'abc'.substring(-1)": 'index out of range: -1',
  "'abc'.substring(4)": 'index out of range: 4',
  "'abc'.substring(1, 4)": 'index out of range: 4',
  "'abc'.substring(-1, 1)": 'index out of range: -1',
  'dyn([1]).join()': 'no such overload: join(list)',
  'dyn([null]).join()': 'no such overload: join(list)',
  "'abc'.charAt(4)": 'index out of range: 4',
  "timestamp('2024-01-01T12:00:00Z').getHours('Nope/Zone')": 'unknown time zone Nope/Zone',
  "url('')": 'URL parse error during conversion from string: parse "": empty url',
  "url('a b')": 'URL parse error during conversion from string: parse "a b": invalid URI for request',
  'dyn([1, 2])[1.5]': 'unsupported index value 1.5 in list',
  "dyn([1, 2])['a']": "unsupported index type 'string' in list",
  'dyn([1, 2])[true]': "unsupported index type 'bool' in list",
  "{'a': 1}[dyn(2u)]": 'no such key: 2',
  "dyn([1])[?'a'].hasValue()": "unsupported index type 'string' in list",
  'dyn(1).map(x, x)': "got 'types.Int', expected iterable type",
  'dyn(1).all(x, true)': "got 'types.Int', expected iterable type",
  'dyn(1).all(a, b, true)': 'unsupported comprehension range type: types.Int',
  "dyn('a').exists(x, true)": "got 'types.String', expected iterable type",
  '[1, 0].map(x, 1 / x)': 'division by zero',
  '[1, 0].filter(x, 1 / x > 0)': 'division by zero',
  '[0, 1].filter(x, 1 / x > 0)': 'division by zero',
  '[0, 1].map(x, 1 / x > 0, x)': 'division by zero',
  'dyn(timestamp(0)).map(x, x)': "got 'types.Timestamp', expected iterable type",
  'dyn(null).map(x, x)': "got 'types.Null', expected iterable type",
  'dyn(1).foo': 'no such key: foo',
  'dyn(1) || false': 'no such overload',
  'dyn(1) ? 1 : 2': 'no such overload',
}

describe('expressions without a value, in the words of the real server', () => {
  for (const [source, message] of Object.entries(FAILURES)) {
    it(`${source} fails: ${message}`, () => {
      const program = compileCel(source, { variables: {} })
      expect(() => program.evaluate({})).to.throw(CelRuntimeError, message)
    })
  }

  const hostile: readonly { conversion: string; text: string }[] = [
    { conversion: 'duration', text: `${'1000s'.repeat(15)}x` },
    { conversion: 'double', text: `${'9'.repeat(80_000)}x` },
    { conversion: 'quantity', text: `${'9'.repeat(80_000)}x` },
  ]
  for (const { conversion, text } of hostile) {
    it(`a ${conversion} of ${text.slice(0, 6)}…x fails in linear time`, () => {
      // With backtracking each takes a quarter of a minute or more.
      expect(() => compileCel(`${conversion}(dyn('${text}'))`, { variables: {} }).evaluate({})).to.throw(
        CelRuntimeError,
      )
    }).timeout(5_000)
  }
})
