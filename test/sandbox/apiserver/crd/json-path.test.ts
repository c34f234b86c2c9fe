import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { compileJsonPath } from '../../../../src/sandbox/apiserver/crd/json-path.ts'

const ROOT: JsonValue = {
  spec: { size: 3, 'a.b': 'dotted', list: ['x', 'y', 'z'] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', age: 5 },
      { type: 'Old', status: 'False', age: 50, gone: true },
    ],
  },
}

describe('compileJsonPath', () => {
  const found: Readonly<Record<string, readonly JsonValue[]>> = {
    '.spec.size': [3],
    '{.spec.size}': [3],
    '$.spec.size': [3],
    'spec.size': [3],
    '.spec.nothing.deeper': [],
    '.spec.a\\.b': ['dotted'],
    "['spec']['a.b']": [],
    "['spec']['a\\.b']": ['dotted'],
    '.spec.list[0:1]': ['x'],
    "['spec.size']": [3],
    '.spec.list[0]': ['x'],
    '.spec.list[-1]': ['z'],
    '.spec.list[9]': [],
    '.spec.list.[0]': ['x'],
    '.spec.list[::2]': ['x', 'z'],
    '.spec.list[::0]': [],
    '.spec.size[0:1]': [],
    '.spec.size[0]': [],
    '.spec.list[*]': ['x', 'y', 'z'],
    '.status.conditions[*].type': ['Ready', 'Old'],
    '.status.conditions[?(@.type=="Ready")].status': ['True'],
    ".status.conditions[?(@.type=='Old')].age": [50],
    '.status.conditions[?(@.type!="Ready")].type': ['Old'],
    '.status.conditions[?(@.age>10)].type': ['Old'],
    '.status.conditions[?(@.age>=5)].type': ['Ready', 'Old'],
    '.status.conditions[?(@.age<50)].type': ['Ready'],
    '.status.conditions[?(@.age<=50)].type': ['Ready', 'Old'],
    '.status.conditions[?(@.type>1)].type': [],
    '.status.conditions[?(@.gone==true)].type': ['Old'],
    '.status.conditions[?(@.gone)].type': ['Old'],
    '..type': ['Ready', 'Old'],
    '.spec.*': [3, 'dotted', ['x', 'y', 'z']],
    '.spec.list[?(@=="x")]': ['x'],
    '..a\\.b': ['dotted'],
    '.spec.constructor': [],
    '.spec.__proto__': [],
  }
  for (const [path, expected] of Object.entries(found)) {
    it(`${path} finds ${JSON.stringify(expected)}`, () => expect(compileJsonPath(path)(ROOT)).to.deep.equal(expected))
  }

  for (const path of [
    '.spec[',
    '.spec[abc]',
    '.spec..',
    '..*',
    '.a[?(@.b==c)]',
    '.a[?b]',
    '.',
    '["spec"].size',
    '.spec[]',
  ]) {
    it(`${path} is refused`, () => expect(() => compileJsonPath(path)).to.throw(SyntaxError))
  }
})
