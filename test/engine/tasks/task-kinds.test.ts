import { expect } from 'chai'
import { MODIFIER_SCHEMAS } from '../../../src/engine/role/parse/modifier-schemas.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { compileTasks } from '../../support/task-run.ts'

describe('mistakes in the bodies of tasks', () => {
  const manifest = 'apiVersion: v1, kind: ConfigMap'
  const cases: { name: string; text: string; code: string }[] = [
    {
      name: 'a computed kind',
      text: `- ensure: {apiVersion: v1, kind: "\${spec.kind}", metadata: {name: a}}`,
      code: 'RB1401',
    },
    { name: 'a computed version', text: `- get: {apiVersion: "\${spec.v}", kind: Pod, name: a}`, code: 'RB1401' },
    { name: 'a manifest without name', text: `- ensure: {${manifest}, metadata: {labels: {a: b}}}`, code: 'RB1402' },
    { name: 'a generated name', text: `- ensure: {${manifest}, metadata: {generateName: a-}}`, code: 'RB1403' },
    {
      name: 'the status of a child',
      text: `- ensure: {${manifest}, metadata: {name: a}, status: {a: 1}}`,
      code: 'RB1404',
    },
    { name: 'the generation of the engine', text: '- status: {observedGeneration: 1}', code: 'RB1405' },
    {
      name: 'a condition of the engine',
      text: '- status: {conditions: [{type: Ready, status: "True"}]}',
      code: 'RB1405',
    },
    {
      name: 'a condition of the engine that is not a list',
      text: '- status: {conditions: {type: Ready, status: "True"}}',
      code: 'RB1405',
    },
    {
      name: 'two selectors',
      text: '- list: {apiVersion: v1, kind: Pod, labels: {a: b}, selector: {matchLabels: {a: b}}}',
      code: 'RB1406',
    },
    {
      name: 'labels alone as a selector',
      text: '- list: {apiVersion: v1, kind: Pod, selector: {app: web}}',
      code: 'RB1020',
    },
    {
      name: 'an unknown key of a requirement',
      text: '- list: {apiVersion: v1, kind: Pod, selector: {matchExpressions: [{key: a, operator: In, value: [b]}]}}',
      code: 'RB1020',
    },
    { name: 'a time that is none', text: `- wait: {for: "\${true}", message: m, timeout: soon}`, code: 'RB1407' },
    { name: 'an assertion that is not an expression', text: '- assert: {that: [size], message: m}', code: 'RB1210' },
    { name: 'a wait for what is not an expression', text: '- wait: {for: size, message: m}', code: 'RB1210' },
    { name: 'an empty patch', text: `- patch: {${manifest}, metadata: {name: a, namespace: b}}`, code: 'RB1408' },
  ]
  for (const { name, text, code } of cases) {
    it(`${name}: ${code}`, () => {
      const { role, diagnostics } = compileTasks(text)
      expect(diagnostics.map((one) => one.code)).to.deep.equal([code])
      expect(role).to.equal(undefined)
    })
  }

  it('have none in a role that uses every kind', () => {
    const { diagnostics } = compileTasks(`
- set: {app: "\${metadata.name}"}
- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${$app}"}, data: {a: "\${spec.a}"}}
  register: made
- patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: b}}
- get: {apiVersion: v1, kind: Secret, name: c, namespace: d, optional: true}
- list: {apiVersion: v1, kind: Pod, namespace: "*", selector: {matchExpressions: [{key: a, operator: Exists}]}}
- wait: {for: "\${$exists($made.metadata.uid)}", message: "m", timeout: 5m}
- assert: {that: ["\${true}"], message: m}
- status: {a: "\${$made.data.a}"}
- fail: {message: m}
  when: \${false}
`)
    expect(diagnostics).to.deep.equal([])
  })
})

describe('Rights that tasks need', () => {
  const cases: { name: string; text: string; expected: string[] }[] = [
    {
      name: 'ensure owns',
      text: '- ensure: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}}',
      expected: ['own Deployment.apps a b'],
    },
    {
      name: 'a computed name is not a name',
      text: '- ensure: {apiVersion: v1, kind: Pod, metadata: {name: "${metadata.name}"}}',
      expected: ['own Pod. - -'],
    },
    {
      name: 'patch patches',
      text: '- patch: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {b: c}}}',
      expected: ['patch Pod. a -'],
    },
    {
      name: 'its status, too',
      text: '- patch: {apiVersion: v1, kind: Pod, metadata: {name: a}, status: {b: c}}',
      expected: ['patch Pod. a -', 'patch Pod./status a -'],
    },
    { name: 'get reads', text: '- get: {apiVersion: v1, kind: Pod, name: a}', expected: ['read Pod. a -'] },
    { name: 'list reads', text: '- list: {apiVersion: v1, kind: Pod, namespace: "*"}', expected: ['read Pod. - -'] },
    {
      name: 'the rest needs none',
      text: '- status: {a: 1}\n- set: {b: 1}\n- assert: {that: ["${true}"], message: m}\n- wait: {for: "${true}", message: m}\n- fail: {message: m}',
      expected: [],
    },
  ]
  for (const { name, text, expected } of cases) {
    it(name, () => {
      const permissions = compileTasks(text).role?.permissions ?? []
      const texts = permissions.map(({ access, gvk, subresource, name: object = '-', namespace = '-' }) => {
        const resource = `${gvk.kind}.${gvk.group}${subresource ? `/${subresource}` : ''}`
        return `${access} ${resource} ${object} ${namespace}`
      })
      expect(texts).to.deep.equal(expected)
    })
  }
})

const BODIES: Readonly<Record<string, string>> = {
  ensure: '{apiVersion: v1, kind: Secret, metadata: {name: x}}',
  patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}',
  status: '{a: 1}',
  get: '{apiVersion: v1, kind: ConfigMap, name: x}',
  list: '{apiVersion: v1, kind: ConfigMap}',
  chart: '{path: charts/a, kinds: [v1/ConfigMap]}',
  wait: '{for: "${true}", message: m}',
  assert: '{that: ["${true}"], message: m}',
  fail: '{message: m}',
  set: '{q: 1}',
  event: '{type: Normal, reason: A, message: m}',
  include: '{tasks: none.yaml}',
  block: '{tasks: [{fail: {message: m}}]}',
}
const ALL = Object.keys(BODIES)

describe('modifiers and the kinds of task that take them', () => {
  const cases: readonly { readonly modifier: string; readonly value: string; readonly kinds: readonly string[] }[] = [
    { modifier: 'name', value: 'x', kinds: ALL },
    { modifier: 'when', value: 'true', kinds: ALL },
    { modifier: 'loop', value: '[1]', kinds: ALL.filter((kind) => kind !== 'set' && kind !== 'chart') },
    { modifier: 'register', value: 'z', kinds: ['ensure', 'patch', 'get', 'list', 'chart'] },
    { modifier: 'readyWhen', value: 'true', kinds: ['ensure', 'chart'] },
    { modifier: 'waitReady', value: 'true', kinds: ['ensure', 'chart'] },
    { modifier: 'timeout', value: '5m', kinds: ['ensure', 'chart'] },
    { modifier: 'retain', value: 'true', kinds: ['ensure', 'chart'] },
    { modifier: 'adopt', value: 'ifUnowned', kinds: ['ensure'] },
    { modifier: 'drift', value: 'once', kinds: ['ensure', 'chart'] },
    { modifier: 'handOver', value: '[data.a]', kinds: ['ensure'] },
    { modifier: 'onImmutable', value: 'recreate', kinds: ['ensure'] },
    { modifier: 'force', value: 'true', kinds: ['patch'] },
    { modifier: 'generate', value: '{k: {}}', kinds: ['ensure'] },
    { modifier: 'after', value: '[]', kinds: ALL },
    { modifier: 'sensitive', value: 'true', kinds: ALL },
  ]
  it('are all of them', () => {
    expect(ALL).to.have.members(builtinTaskKinds.map(({ name }) => name))
    const named = cases.map(({ modifier }) => modifier)
    expect([...named, 'loopVar']).to.have.members(Object.keys(MODIFIER_SCHEMAS))
  })

  for (const { modifier, value, kinds } of cases) {
    it(`${modifier} is for its kinds alone`, () => {
      const taking = ALL.filter((kind) => {
        const { diagnostics } = compileTasks(`- {${kind}: ${BODIES[kind]}, ${modifier}: ${value}}`)
        return !diagnostics.some(({ code }) => code === 'RB1101')
      })
      expect(taking).to.deep.equal(kinds)
    })
  }
})
