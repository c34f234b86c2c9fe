import { expect } from 'chai'
import { graphOfRole } from '../../../src/engine/role/graph/printed-graph.ts'
import type { TaskGraph } from '../../../src/engine/role/graph/task-graph-types.ts'
import { compileTasks, roleOf } from '../../support/task-run.ts'

const map = (name: string, more = ''): string =>
  `ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}${more}}`
const object = (apiVersion: string, kind: string, metadata: string): string =>
  `ensure: {apiVersion: ${apiVersion}, kind: ${kind}, metadata: {${metadata}}}`
const get = (name: string, kind = 'ConfigMap'): string => `get: {apiVersion: v1, kind: ${kind}, name: "${name}"}`
const WAIT = 'wait: {for: "${spec.on}", message: m}'
const NAMESPACE = object('v1', 'Namespace', 'name: team')
const CRD = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'name: webs.example.com')

/** `2 < 1 reads x`: the second task comes after the first one. `~` if that one only has to end. */
function edgesOf(graph: TaskGraph | undefined): readonly string[] {
  return (graph?.edges ?? []).flatMap((edges, index) =>
    edges.map(({ from, reason, about, isOptional }) =>
      [`${index + 1} ${isOptional ? '~' : '<'} ${from + 1} ${reason}`, ...(about === undefined ? [] : [about])].join(
        ' ',
      ),
    ),
  )
}

interface Case {
  readonly name: string
  readonly tasks: readonly string[]
  readonly expected: readonly string[]
}

const CASES: readonly Case[] = [
  { name: 'nothing, if they need nothing of one another', tasks: [map('a'), map('b'), 'status: {c: 1}'], expected: [] },
  {
    name: 'a variable that is registered, in the body and in each modifier',
    tasks: [
      `register: x\n  ${map('a')}`,
      map('b', ', data: {a: "${$x.data.a}"}'),
      `when: \${$exists($x)}\n  set: {b: 1}`,
      `loop: \${$x.data.a}\n  ${map('c')}`,
      `readyWhen: \${$self.data = $x.data}\n  ${map('d')}`,
      `waitReady: \${$exists($x)}\n  ${map('e')}`,
    ],
    expected: ['2 < 1 reads x', '3 < 1 reads x', '4 < 1 reads x', '5 < 1 reads x', '6 < 1 reads x'],
  },
  {
    name: 'a variable that a modifier of another kind reads',
    tasks: [`register: x\n  ${map('a')}`, `timeout: "\${$x.data.time}"\n  waitReady: true\n  ${map('f')}`],
    expected: ['2 < 1 reads x'],
  },
  {
    name: 'a variable of handOver',
    tasks: [`register: x\n  ${map('a')}`, `handOver: ["\${$x.data.path}"]\n  ${map('g')}`],
    expected: ['2 < 1 reads x'],
  },
  {
    name: 'a variable that is set',
    tasks: ['set: {a: 1}', 'set: {b: "${$a}"}', map('c', ', data: {b: "${$string($b)}"}')],
    expected: ['2 < 1 reads a', '3 < 2 reads b'],
  },
  {
    name: 'a variable that a task of a block gives, and one that it reads',
    tasks: [
      `register: x\n  ${map('a')}`,
      `block:\n    tasks:\n      - ${map('b', ', data: {a: "${$x.data.a}"}')}\n        register: made`,
      map('c', ', data: {a: "${$made.data.a}"}'),
    ],
    expected: ['2 < 1 reads x', '3 < 2 reads made'],
  },
  {
    name: 'what a task says that it comes after',
    tasks: [
      `name: One\n  ${map('a')}`,
      `name: Two\n  ${map('b')}`,
      `after: [One, {task: Two, optional: true}]\n  ${map('c')}`,
    ],
    expected: ['3 < 1 after', '3 ~ 2 after'],
  },
  {
    name: 'a wait, an assert, a fail and waitReady, for all that follows',
    tasks: [
      map('a'),
      WAIT,
      map('b'),
      'assert: {that: ["${spec.on}"], message: m}',
      `waitReady: true\n  ${map('c')}`,
      'when: ${spec.on}\n  fail: {message: m}',
      map('d'),
    ],
    expected: ['3 < 2 guard', '4 < 2 guard', '5 < 4 guard', '6 < 5 guard', '7 < 6 guard'],
  },
  {
    name: 'a block with a wait in it, for all that follows',
    tasks: [`block: {tasks: [{${WAIT}}]}`, map('a')],
    expected: ['2 < 1 guard'],
  },
  {
    name: 'a read of an object that is written before',
    tasks: [map('a-${spec.x}'), get('a-${spec.x}'), get('b-${spec.x}'), get('a', 'Secret')],
    expected: ['2 < 1 object ConfigMap'],
  },
  {
    name: 'a write of an object that is read before',
    tasks: [get('${spec.a}'), map('${spec.b}')],
    expected: ['2 < 1 object ConfigMap'],
  },
  {
    name: 'a list of a kind that is written before',
    tasks: [map('a'), 'list: {apiVersion: v1, kind: ConfigMap}', 'list: {apiVersion: v1, kind: Secret}'],
    expected: ['2 < 1 object ConfigMap'],
  },
  {
    name: 'two writes that may be of one object',
    tasks: [map('${spec.a}'), map('${spec.b}')],
    expected: ['2 < 1 object ConfigMap'],
  },
  {
    name: 'a loop, whose items may be anything',
    tasks: [
      `loop: [a]\n  ${map('${$item}')}`,
      `loop: [a]\n  ${map('${$item}-x')}`,
      `loop: [a]\n  ${map('y-${$item}-z')}`,
    ],
    expected: ['2 < 1 object ConfigMap', '3 < 1 object ConfigMap'],
  },
  {
    name: 'what a chart makes, which may have any name',
    tasks: [map('a'), 'chart: {path: charts/web, kinds: [v1/ConfigMap]}', object('v1', 'ServiceAccount', 'name: a')],
    expected: ['2 < 1 object ConfigMap'],
  },
  {
    name: 'a Namespace before what lives in it',
    tasks: [
      NAMESPACE,
      object('v1', 'Secret', 'name: a, namespace: team'),
      object('v1', 'Secret', 'name: b, namespace: "${spec.team}"'),
      object('v1', 'Secret', 'name: c, namespace: other'),
      object('v1', 'Secret', 'name: d'),
    ],
    expected: ['2 < 1 kind Namespace', '3 < 1 kind Namespace'],
  },
  {
    name: 'a chart with Namespaces, which may have any name, before what lives in one',
    tasks: [
      'chart: {path: charts/web, kinds: [v1/Namespace]}',
      object('v1', 'ServiceAccount', 'name: a, namespace: team'),
      object('v1', 'ServiceAccount', 'name: b'),
    ],
    expected: ['2 < 1 kind Namespace'],
  },
  {
    name: 'a CustomResourceDefinition whose name is computed before objects that may be of its group',
    tasks: [
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'name: "${spec.kind}.example.com"'),
      object('example.com/v1', 'Web', 'name: a'),
      object('example.org/v1', 'Web', 'name: a'),
    ],
    expected: [
      '2 < 1 kind CustomResourceDefinition.apiextensions.k8s.io',
      '3 < 1 kind CustomResourceDefinition.apiextensions.k8s.io',
    ],
  },
  {
    name: 'a loop variable that a later task gives to all behind it',
    tasks: [`loop: [a]\n  loopVar: x\n  ${map('${$x}')}`, `register: x\n  ${get('b', 'Secret')}`],
    expected: ['2 < 1 reads x'],
  },
  {
    name: 'a CustomResourceDefinition before objects of its group',
    tasks: [
      CRD,
      object('example.com/v1', 'Web', 'name: a'),
      object('v1', 'ServiceAccount', 'name: a'),
      'get: {apiVersion: example.com/v1, kind: Web, name: b}',
    ],
    expected: [
      '2 < 1 kind CustomResourceDefinition.apiextensions.k8s.io',
      '4 < 1 kind CustomResourceDefinition.apiextensions.k8s.io',
    ],
  },
  {
    name: 'what pods use before what runs pods',
    tasks: [
      map('a'),
      object('v1', 'ServiceAccount', 'name: a'),
      object('apps/v1', 'Deployment', 'name: a'),
      object('batch/v1', 'Job', 'name: a'),
      object('postgresql.cnpg.io/v1', 'Cluster', 'name: a'),
      object('networking.k8s.io/v1', 'Ingress', 'name: a'),
    ],
    expected: [
      '3 < 1 kind ConfigMap',
      '3 < 2 kind ServiceAccount',
      '4 < 1 kind ConfigMap',
      '4 < 2 kind ServiceAccount',
      '5 < 1 kind ConfigMap',
      '5 < 2 kind ServiceAccount',
    ],
  },
  {
    name: 'a Role before its binding, and admission before what it may change',
    tasks: [
      object('rbac.authorization.k8s.io/v1', 'Role', 'name: a'),
      object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'name: a'),
      object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'name: a'),
      map('a'),
    ],
    expected: [
      '2 < 1 kind Role.rbac.authorization.k8s.io',
      '4 < 3 kind ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    ],
  },
  {
    name: 'tasks that set the status, which only have to end',
    tasks: ['status: {a: 1}', `block: {tasks: [{status: {b: 1}}, {${map('a')}}]}`, 'status: {c: 1}'],
    expected: ['2 ~ 1 status', '3 ~ 2 status'],
  },
  {
    name: 'an event, which reports all before it',
    tasks: [map('a'), `register: x\n  ${get('b')}`, 'event: {type: Normal, reason: Done, message: m}', map('c')],
    expected: ['3 < 1 report', '3 < 2 report'],
  },
]

describe('tasks are ordered by', () => {
  for (const { name, tasks, expected } of CASES) {
    it(name, () => {
      const files = { 'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' }
      const text = tasks.map((task) => `- ${task}\n`).join('')
      const { role, diagnostics } = compileTasks(text, files)
      expect(diagnostics.filter(({ severity }) => severity !== 'warning').map(({ message }) => message)).to.deep.equal(
        [],
      )
      expect(edgesOf(role?.graph)).to.deep.equal(expected)
    })
  }

  it('nothing but where they stand, if the role is sequential', () => {
    const { role } = compileTasks(`- ${map('a')}\n- ${map('b')}\n`, {}, 'order: sequential\n')
    expect(role?.graph).to.equal(undefined)
  })

  it('data within a block that says so, in a sequential role, and the other way around', () => {
    const inner = (order: string): string => `- block: {order: ${order}, tasks: [{${map('a')}}, {${map('b')}}]}\n`
    const graphOf = (order: string, head: string): unknown =>
      compileTasks(inner(order), {}, head).role?.tasks[0]?.lists[0]?.graph
    expect(graphOf('data', 'order: sequential\n')).not.to.equal(undefined)
    expect(graphOf('sequential', '')).to.equal(undefined)
  })

  it('nothing that is implied by others', () => {
    const { graph } = roleOf(`- ${WAIT}\n- set: {a: 1}\n- ${map('a', ', data: {a: "${$string($a)}"}')}\n`)
    expect(edgesOf(graph)).to.deep.equal(['2 < 1 guard', '3 < 2 reads a'])
  })
})

describe('the graph of a role, as it is printed', () => {
  it('names the object for which a task waits, and tells the lists of a task apart', () => {
    const block = `block: {tasks: [{${map('b')}}], rescue: [{${map('c')}}]}`
    const { tasks, edges } = graphOfRole(roleOf(`- ${map('a')}\n- ${get('a')}\n- ${block}\n`))
    expect(tasks.map(({ id, within }) => [id, within ?? ''])).to.deep.equal([
      ['t0', ''],
      ['t1', ''],
      ['t2', ''],
      ['t2_0', 't2'],
      ['t2_rescue0', 't2'],
    ])
    expect(edges).to.deep.equal([{ from: 't0', to: 't1', reason: 'object ConfigMap', optional: false }])
  })
})

describe('after', () => {
  const cases = [
    { name: 'a task that is not there', after: '[Nothing]', expected: 'there is no task "Nothing" in this list' },
    { name: 'a task that stands behind it', after: '[Last]', expected: 'the task "Last" stands after this one' },
    { name: 'the task itself', after: '[Middle]', expected: 'the task cannot come after itself, "Middle"' },
    { name: 'a task within a block', after: '[Inner]', expected: 'there is no task "Inner" in this list' },
  ]
  for (const { name, after, expected } of cases) {
    it(`cannot name ${name}`, () => {
      const text = `- name: First\n  block: {tasks: [{name: Inner, set: {a: 1}}]}\n- name: Middle\n  after: ${after}\n  set: {b: 1}\n- name: Last\n  set: {c: 1}\n`
      const { diagnostics } = compileTasks(text)
      expect(diagnostics.map(({ code, line, message }) => `${code}:${line} ${message}`)).to.deep.equal([
        `RB1112:5 ${expected}`,
      ])
    })
  }

  it('names what was probably meant', () => {
    const { diagnostics } = compileTasks('- name: Schema\n  set: {a: 1}\n- after: [Shema]\n  set: {b: 1}\n')
    expect(diagnostics[0]?.hint).to.equal('did you mean "Schema"?')
  })
})
