import { expect } from 'chai'
import {
  type CelType,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
} from '../../../../src/sandbox/apiserver/cel/cel-type.ts'
import { compileCel } from '../../../../src/sandbox/apiserver/cel/compile-cel.ts'

describe('the estimate of what an expression may cost', () => {
  const short: CelType = { ...STRING, json: { maxElements: 10 } }
  const variables = {
    n: INT,
    list: listOf(INT, { maxElements: 4 }),
    texts: listOf(short, { maxElements: 4 }),
    map: mapOf(short, INT, { maxElements: 4 }),
    text: short,
    any: DYN,
  }
  const spec = objectType('Spec', new Map([['n', INT]]))

  const estimates: Readonly<Record<string, number>> = {
    'list.sort()': 44,
    'texts.sort()': 46,
    "text.replace('', 'ab').size()": 4,
    "cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))": 6,
    "cidr('10.0.0.0/8').containsCIDR('10.0.0.0/9')": 9,
    'list.slice(n, n + 1)': 19,
    'list.slice(1, 3)': 14,
    '[[1], [2]].flatten(2)': 45,
    'lists.range(3)': 14,
    'lists.range(n)': Number.POSITIVE_INFINITY,
    '[[1], [2]].flatten(n)': Number.POSITIVE_INFINITY,
    'Spec{n: n + 1}.n': 43,
    "['a', 'bcd'][0] + text": 14,
    "{'a': 'bcd'}['a'] + text": 34,
    "['a', 'b'].map(x, x + text)": 51,
    "['a', 'b'].transformList(i, x, x + text)": 51,
    "{'a': 'b'}.all(k, v, k + v != text)": 37,
    'map.all(k, k != text)': 26,
    'map.exists(k, v, k == text && v > n)': 42,
    "dyn(['a', 'b']).exists(x, x == text)": 24,
    "(n > 1 ? ['a'] : ['bc']).exists(x, x == text)": 19,
    "optional.of(['a']).optMap(x, x + texts).orValue([]).size()": 50,
    'type(text) == string': 3,
    'any.all(k, k == text)': 2,
    '(any + any).size()': 4,
    'list.map(x, x + 1).map(y, y * 2)': 135,
  }
  for (const [source, expected] of Object.entries(estimates)) {
    it(`${source} costs at most ${expected}`, () => {
      const program = compileCel(source, { variables, types: { Spec: spec } })
      expect(program.estimateCost()).to.equal(expected)
    })
  }
})
