import { expect } from 'chai'
import type { Gvk } from '../../../src/core/kube/group-version-kind.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { KindNames } from '../../../src/rolebook/role-test/kind-names.ts'
import { type ParsedTest, parseTest } from '../../../src/rolebook/role-test/parse-test.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { crd } from '../../support/operator-sandbox.ts'

const WIDGET: Gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
const OTHER: Gvk = { group: 'other.com', version: 'v2', kind: 'Widget' }
const kinds = new KindNames(loadBuiltinSchemas(), [crd(WIDGET), crd(OTHER)])

function parse(text: string, watched: readonly Gvk[] = []): ParsedTest {
  return parseTest(new SourceFile('t.yaml', text), {
    role: 'widget',
    kinds,
    watched,
    readFile: (path) => (path === 'good.yaml' ? { objects: [] } : { code: 'RB1606', message: `cannot read ${path}` }),
  })
}

interface Wrong {
  readonly name: string
  readonly text: string
  /** `line:column code` */
  readonly found: string
  readonly hint?: RegExp
}

const wrong: readonly Wrong[] = [
  { name: 'no steps', text: 'given: []\n', found: '1:1 RB1021' },
  { name: 'a key that is not known', text: 'steps:\n  - expekt: []\n', found: '2:5 RB1020', hint: /expect/ },
  { name: 'a step with nothing in it', text: 'steps:\n  - {}\n', found: '2:5 RB1023' },
  { name: 'an expectation without a name', text: 'steps:\n  - expect:\n      - kind: Pod\n', found: '3:9 RB1021' },
  { name: 'a pause without unit', text: 'steps:\n  - {advance: 1s, wait: soon}\n', found: '2:25 RB1601' },
  { name: 'another end than there is', text: 'steps:\n  - restart: later\n', found: '2:14 RB1023' },
  { name: 'a fault that does not say what happens', text: 'steps:\n  - fail: [{verb: get}]\n', found: '2:12 RB1021' },
  { name: 'leaks that are expected', text: 'steps:\n  - leaks: [status]\n', found: '2:12 RB1023' },
  { name: 'a time without unit', text: 'steps:\n  - advance: "10"\n', found: '2:14 RB1601' },
  { name: 'a time that is too long', text: 'steps:\n  - advance: 2000h\n', found: '2:14 RB1601' },
  {
    name: 'two things in one step',
    text: 'steps:\n  - advance: 1s\n    delete: {kind: Pod, name: a}\n',
    found: '2:5 RB1602',
    hint: /a step of each/,
  },
  {
    name: 'an object without a kind',
    text: 'given:\n  - {apiVersion: v1}\nsteps: [{advance: 1s}]\n',
    found: '2:5 RB1603',
  },
  {
    name: 'an unknown kind',
    text: 'steps:\n  - absent:\n      - {kind: Deploymnet, name: a}\n',
    found: '3:16 RB1604',
    hint: /Deployment/,
  },
  {
    name: 'a version that is not served',
    text: 'steps:\n  - absent: [{apiVersion: v2, kind: Pod, name: a}]\n',
    found: '2:37 RB1604',
    hint: /served as v1/,
  },
  {
    name: 'a kind of two groups',
    text: 'steps:\n  - delete: {kind: Widget, name: a}\n',
    found: '2:20 RB1604',
    hint: /apiVersion: example.com\/v1/,
  },
  {
    name: 'a kind of a fault',
    text: 'steps:\n  - fail: [{kind: Nothing, code: 500}]\n',
    found: '2:19 RB1604',
  },
  {
    name: 'an expression that cannot be matched',
    text: 'steps:\n  - expect: [{kind: Pod, name: a, spec: {list: [{matches: "(?=x)"}]}}]\n',
    found: '2:59 RB1605',
    hint: /look-around/,
  },
  {
    name: 'a matcher of a number',
    text: 'steps:\n  - expect: [{kind: Web, name: a, spec: {size: {matches: 5}}}]\n',
    found: '2:48 RB1607',
  },
  {
    name: 'an absence that is false',
    text: 'steps:\n  - expect: [{kind: Web, name: a, spec: {size: {absent: false}}}]\n',
    found: '2:48 RB1607',
  },
  {
    name: 'writes of a kind that is not served',
    text: 'steps:\n  - writes: {Widget/status: 1, Wbe/status: 1}\n',
    found: '2:32 RB1604',
  },
  { name: 'a file that is not there', text: 'given: [bad.yaml]\nsteps: [{advance: 1s}]\n', found: '1:9 RB1606' },
  { name: 'a kind of writes that is none', text: 'steps:\n  - writes: {pods: 1}\n', found: '2:14 RB1023' },
]

describe('a file of role tests that is wrong', () => {
  for (const { name, text, found, hint } of wrong) {
    it(name, () => {
      const { test, diagnostics } = parse(text)
      expect(test).to.equal(undefined)
      const [first] = diagnostics
      expect(`${first?.line}:${first?.column} ${first?.code}`).to.equal(found)
      if (hint) expect(first?.hint).to.match(hint)
    })
  }
})

interface Unknown {
  readonly name: string
  readonly expected: string
  /** `field hint` of each warning. */
  readonly found: readonly string[]
}

const unknown: readonly Unknown[] = [
  {
    name: 'a field that is nearly called so',
    expected: 'status: {readyReplicass: {absent: true}}',
    found: ['`status.readyReplicass` did you mean `readyReplicas`?'],
  },
  {
    name: 'a field in an item of a list',
    expected: 'spec: {template: {spec: {containers: [{name: a, imge: {matches: x}}]}}}',
    found: ['`spec.template.spec.containers[0].imge` did you mean `image`?'],
  },
  {
    name: 'a field of a value that is whole',
    expected: 'spec: {template: {equals: {spec: {containerz: []}}}}',
    found: ['`spec.template.spec.containerz` did you mean `containers`?'],
  },
  {
    name: 'a field of metadata beside labels with any key',
    expected: 'metadata: {labels: {any.of/them: x}, anotations: {a: b}}',
    found: ['`metadata.anotations` did you mean `annotations`?'],
  },
  { name: 'a field like no other', expected: 'zzz: {absent: true}', found: ['`zzz` undefined'] },
  {
    name: 'fields that there are, by each matcher',
    expected:
      'labels: {a: {matches: b}}, metadata: {annotations: {a.b/c: {absent: true}}}, ' +
      'spec: {replicas: {equals: 3}, template: {spec: {containers: {equals: [{name: a}]}}}}, status: {absent: true}',
    found: [],
  },
]

describe('a field of an expectation that no object has', () => {
  for (const { name, expected, found } of unknown) {
    it(name, () => {
      const { test, diagnostics } = parse(`steps:\n  - expect: [{kind: StatefulSet, name: a, ${expected}}]\n`)
      expect(test).to.not.equal(undefined)
      const seen = diagnostics.map(({ code, message, hint }) => `${code} ${message.split(' ')[0]} ${hint}`)
      expect(seen).to.deep.equal(found.map((one) => `RB1609 ${one}`))
    })
  }

  it('is shown where it stands, in a value that is whole', () => {
    const text =
      'steps:\n  - expect:\n      - kind: StatefulSet\n        name: a\n        spec:\n          equals:\n            x: 1\n'
    expect(parse(text).diagnostics.map(({ line, column }) => [line, column])).to.deep.equal([[7, 13]])
  })

  it('is no matter where the schema of the kind is not closed', () => {
    const text = 'steps:\n  - expect: [{kind: Widget, name: a, spec: {any: 1}}]\n'
    expect(parse(text, [WIDGET]).diagnostics).to.deep.equal([])
  })
})

describe('a file of role tests', () => {
  it('means the kind that its role is about', () => {
    const { test } = parse('steps:\n  - expect: [{kind: Widget, name: a}]\n', [OTHER])
    expect(test?.steps[0]?.expect[0]?.gvk).to.deep.equal(OTHER)
  })

  it('means the kind that it was given', () => {
    const given = 'given: [{apiVersion: other.com/v2, kind: Widget, metadata: {name: a}}]\n'
    const { test } = parse(`${given}steps:\n  - expect: [{kind: Widget, name: a}]\n`)
    expect(test?.steps[0]?.expect[0]?.gvk).to.deep.equal(OTHER)
  })

  it('reads one fault or many, once unless it says otherwise', () => {
    const { test } = parse('steps:\n  - fail: {code: 500}\n  - fail: [{verb: patch, kind: Pod, code: 409, times: 3}]\n')
    const pods = { group: '', version: 'v1', kind: 'Pod' }
    expect(test?.steps.map(({ action }) => action)).to.deep.equal([
      { verb: 'fail', faults: [{ code: 500, times: 1 }] },
      { verb: 'fail', faults: [{ verb: 'patch', code: 409, times: 3, gvk: pods }] },
    ])
  })
})
