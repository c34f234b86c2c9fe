import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { runTasks, type TaskRunOptions } from '../../support/task-run.ts'

const OBJECT: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', uid: 'x' }, data: { a: '1' } }

describe('ensure', () => {
  const ensured = async (body: string, options: TaskRunOptions = {}): Promise<KubeObject | undefined> =>
    (await runTasks(`- ensure: ${body}`, options)).ensured[0]?.object

  it('leaves out what is missing, and keeps empty maps and lists', async () => {
    const object = await ensured(
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "${spec.x}", z: "${spec.z}"}, m: {}, l: []}',
      {
        spec: { x: 'here', z: null },
      },
    )
    expect(object).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { x: 'here' },
      m: {},
      l: [],
    })
  })

  it('sends the text of a Secret as data', async () => {
    const object = await ensured(
      '{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {x: eA==}, stringData: {z: "${spec.z}"}}',
      { spec: { z: 'ä' } },
    )
    expect(object).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { x: 'eA==', z: 'w6Q=' },
    })
  })

  for (const field of ['labels', 'annotations']) {
    for (const value of ['text', ['a', 'list'], 5]) {
      it(`takes no ${JSON.stringify(value)} for \`${field}\``, async () => {
        const text = `- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, ${field}: "\${spec.x}"}}`
        const run = await runTasks(text, { spec: { x: value } })
        expect(run.end).to.equal(`failed Invalid \`metadata.${field}\` is not a map`)
        expect(run.ensured).to.deep.equal([])
      })
    }
  }

  for (const value of ['text', ['a', 'list']]) {
    it(`takes no ${JSON.stringify(value)} for the data of a Secret beside its texts`, async () => {
      const secret = 'apiVersion: v1, kind: Secret, metadata: {name: a}, data: "${spec.x}", stringData: {z: w}'
      const run = await runTasks(`- ensure: {${secret}}`, { spec: { x: value } })
      expect(run.end).to.equal('failed Invalid `data` is not a map')
      expect(run.ensured).to.deep.equal([])
    })
  }

  it('takes no number for the text of a Secret', async () => {
    const text = '- ensure: {apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {z: "${spec.z}"}}'
    expect((await runTasks(text, { spec: { z: 5 } })).end).to.equal('failed Invalid `stringData.z` is not text')
  })

  const names = [
    { name: 'a name that is missing', value: undefined, end: /^failed Failed / },
    { name: 'an empty name', value: '', end: /^failed Invalid / },
    { name: 'upper case', value: 'A', end: /^failed Invalid / },
    { name: 'a path', value: '../x', end: /^failed Invalid / },
    { name: 'an escape', value: 'a%2fb', end: /^failed Invalid / },
    { name: 'a control character', value: 'a\u0000b', end: /^failed Invalid `metadata.name` is not a valid name/ },
    { name: 'a name that is too long', value: 'a'.repeat(254), end: /^failed Invalid / },
    { name: 'a number', value: 5, end: /^failed Invalid / },
    { name: 'dots and dashes', value: 'a-b.c', end: /^complete$/ },
  ]
  for (const { name, value, end } of names) {
    it(`checks names before any request: ${name}`, async () => {
      const run = await runTasks('- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${spec.name}"}}', {
        spec: { name: value },
      })
      expect(run.end).to.match(end)
      expect(run.ensured).to.have.lengthOf(run.end === 'complete' ? 1 : 0)
    })
  }

  it('knows that names of roles are less strict, and those of namespaces stricter', async () => {
    const role = '- ensure: {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: "${spec.name}"}}'
    expect((await runTasks(role, { spec: { name: 'system:x' } })).end).to.equal('complete')
    const namespace = '- ensure: {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: "${spec.name}"}}'
    expect((await runTasks(namespace, { spec: { name: 'a.b' } })).end).to.match(/^failed Invalid/)
  })

  it('refuses a generated name that hides behind an expression', async () => {
    const text = '- ensure: {apiVersion: v1, kind: Pod, metadata: {name: a, "${spec.key}": b}}'
    expect((await runTasks(text, { spec: { key: 'generateName' } })).end).to.match(/^failed Invalid .*generateName/)
  })

  it('registers the live object', async () => {
    const text = `
- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  register: made
- status: {uid: "\${$made.metadata.uid}"}
`
    const run = await runTasks(text, { ports: { ensure: async () => ({ object: OBJECT, changed: false }) } })
    expect(run.status).to.deep.equal({ uid: 'x' })
    expect(run.outcome.tasks.map(({ kind }) => kind)).to.deep.equal(['unchanged', 'unchanged'])
  })

  const pod = (phase: string): TaskRunOptions['ports'] => ({
    ensure: async () => ({
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'd' }, status: { phase } },
      changed: false,
    }),
  })
  const POD = '- ensure: {apiVersion: v1, kind: Pod, metadata: {name: p}}\n'
  const readiness: { name: string; text: string; phase?: string; end: string; judged: string[] }[] = [
    {
      name: 'by the rules of its kind',
      text: POD,
      end: 'complete',
      judged: ['p notReady: its phase is Pending, and it is not ready'],
    },
    { name: 'not at all', text: `${POD}  readyWhen: true\n  waitReady: true`, end: 'complete', judged: [] },
    {
      name: 'by its own rule',
      text: `${POD}  readyWhen: \${$self.status.phase = "Pending"}\n  waitReady: true`,
      end: 'complete',
      judged: ['p ready'],
    },
    {
      name: 'by its own rule, not yet',
      text: `${POD}  readyWhen: \${$self.status.phase = "x"}`,
      end: 'complete',
      judged: ['p notReady: `readyWhen` is false'],
    },
    {
      name: 'and is waited for',
      text: `${POD}  waitReady: true`,
      end: 'waiting Pod d/p is not ready: its phase is Pending, and it is not ready',
      judged: ['p notReady: its phase is Pending, and it is not ready'],
    },
    {
      name: 'or not, as an expression says',
      text: `${POD}  waitReady: \${spec.wait = true}`,
      end: 'complete',
      judged: ['p notReady: its phase is Pending, and it is not ready'],
    },
    {
      name: 'and fails what waits for it',
      text: `${POD}  waitReady: true`,
      phase: 'Failed',
      end: 'failed Failed Pod d/p has failed: its phase is Failed',
      judged: ['p failed: its phase is Failed'],
    },
  ]
  for (const { name, text, phase = 'Pending', end, judged } of readiness) {
    it(`counts an object ${name}`, async () => {
      const run = await runTasks(text, { ports: pod(phase) ?? {} })
      expect([run.end, run.judged]).to.deep.equal([end, judged])
    })
  }

  it('passes its modifiers and its name on', async () => {
    const text =
      '- {name: Keep, retain: true, adopt: ifUnowned, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}'
    expect((await runTasks(text)).ensured[0]?.options).to.deep.include({
      task: '"Keep"',
      retain: true,
      adopt: 'ifUnowned',
      generate: [],
    })
  })
})

describe('patch, get and list', () => {
  it('patch waits for its object and registers what it became', async () => {
    const text =
      '- patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: o, namespace: d}, data: {b: "2"}}\n  register: it\n- status: {a: "${$it.data.a}"}'
    expect((await runTasks(text)).end).to.equal('waiting ConfigMap d/o does not exist')
    const run = await runTasks(text, { ports: { patch: async () => ({ object: OBJECT, changed: true }) } })
    expect([run.end, run.status]).to.deep.equal(['complete', { a: '1' }])
  })

  it('get waits, unless it is optional', async () => {
    const get = '- get: {apiVersion: v1, kind: ConfigMap, name: "${spec.name}"'
    expect((await runTasks(`${get}}`, { spec: { name: 'x' } })).end).to.equal(
      'waiting ConfigMap default/x does not exist',
    )
    expect((await runTasks(`${get}, optional: true}`, { spec: { name: 'x' } })).end).to.equal('complete')
    expect((await runTasks(`${get}, namespace: "\${spec.ns}"}`, { spec: { name: 'x', ns: 'A' } })).end).to.match(
      /^failed Invalid/,
    )
  })

  it('what is missing from something read is waited for, from the resource it is a failure', async () => {
    const get = (name: string): string => `
- get: {apiVersion: v1, kind: ConfigMap, name: o, optional: true}
  register: read
- set: {alias: "\${$read.data.next}"}
- get: {apiVersion: v1, kind: ConfigMap, name: "${name}"}
`
    expect((await runTasks(get('${$read.data.next}'))).end).to.match(/^waiting /)
    expect((await runTasks(get('${$alias}'))).end).to.match(/^waiting /)
    expect((await runTasks(get('${spec.next}'))).end).to.match(/^failed Failed /)
  })

  const lists: { name: string; body: string; spec?: JsonObject; expected: unknown }[] = [
    { name: 'nothing selects all', body: '', expected: { selector: {}, literalSelector: {} } },
    {
      name: 'literal labels narrow the watch',
      body: ', labels: {a: b, c: "${spec.c}"}',
      spec: { c: 'd' },
      expected: { selector: { matchLabels: { a: 'b', c: 'd' } }, literalSelector: { matchLabels: { a: 'b' } } },
    },
    {
      name: 'computed labels do not',
      body: ', labels: "${spec.labels}"',
      spec: { labels: { a: 'b' } },
      expected: { selector: { matchLabels: { a: 'b' } }, literalSelector: {} },
    },
    {
      name: 'a selector',
      body: ', selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d]}]}',
      expected: {
        selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] },
        literalSelector: { matchLabels: { a: 'b' } },
      },
    },
    {
      name: 'a computed selector',
      body: ', selector: "${spec.s}"',
      spec: { s: { matchLabels: { a: 'b' } } },
      expected: { selector: { matchLabels: { a: 'b' }, matchExpressions: undefined }, literalSelector: {} },
    },
  ]
  for (const { name, body, spec = {}, expected } of lists) {
    it(`list: ${name}`, async () => {
      const { read } = await runTasks(`- list: {apiVersion: v1, kind: Pod${body}}`, { spec })
      const { selector, literalSelector } = read[0] as { selector: unknown; literalSelector: unknown }
      expect({ selector, literalSelector }).to.deep.equal(expected)
    })
  }

  const refusedLists: { name: string; body: string; spec: JsonObject; end: RegExp }[] = [
    { name: 'labels that are no map', body: 'labels: "${spec.x}"', spec: { x: 5 }, end: /^failed Invalid .*labels/ },
    {
      name: 'a label that is not a text',
      body: 'labels: {a: "${spec.x}"}',
      spec: { x: 5 },
      end: /^failed Invalid .*label "a"/,
    },
    { name: 'a label that is missing', body: 'labels: {a: "${spec.x}"}', spec: {}, end: /^failed Failed / },
    { name: 'a selector that is none', body: 'selector: "${spec.x}"', spec: { x: 5 }, end: /^failed Invalid / },
    {
      name: 'requirements that are not a list',
      body: 'selector: {matchExpressions: "${spec.x}"}',
      spec: { x: 5 },
      end: /^failed Invalid /,
    },
    {
      name: 'a requirement that is none',
      body: 'selector: {matchExpressions: ["${spec.x}"]}',
      spec: { x: { key: 'a', operator: 'Near' } },
      end: /^failed Invalid /,
    },
    {
      name: 'a selector of labels alone, which would select everything',
      body: 'selector: "${spec.x}"',
      spec: { x: { app: 'web' } },
      end: /^failed Invalid .*"app"/,
    },
    {
      name: 'values that are not a list',
      body: 'selector: {matchExpressions: [{key: a, operator: In, values: "${spec.x}"}]}',
      spec: { x: 5 },
      end: /^failed Invalid .*"a"/,
    },
    {
      name: 'a requirement without values',
      body: 'selector: {matchExpressions: [{key: a, operator: In}]}',
      spec: {},
      end: /^failed Invalid .*"a" has no values/,
    },
    {
      name: 'a value that no label can have',
      body: 'labels: {a: "${spec.x}"}',
      spec: { x: 'b c' },
      end: /^failed Invalid .*"b c"/,
    },
    { name: 'a namespace that is none', body: 'namespace: "${spec.x}"', spec: { x: 'A/b' }, end: /^failed Invalid / },
  ]
  for (const { name, body, spec, end } of refusedLists) {
    it(`list refuses ${name}`, async () => {
      const run = await runTasks(`- list: {apiVersion: v1, kind: Pod, ${body}}`, { spec })
      expect(run.end).to.match(end)
      expect(run.read).to.deep.equal([])
    })
  }
})

describe('status, set, wait, assert and fail', () => {
  it('set gives names from top to bottom', async () => {
    const run = await runTasks(
      '- set: {a: "${spec.x}", b: "${$a}-b", none: "${spec.none}"}\n- status: {b: "${$b}", none: "${$none}"}',
      { spec: { x: 1 } },
    )
    expect(run.status).to.deep.equal({ b: '1-b' })
  })

  const statuses: { name: string; text: string; spec?: JsonObject; expected: unknown }[] = [
    { name: 'leaves out what is missing', text: '- status: {a: 1, b: "${spec.b}"}', expected: { a: 1 } },
    { name: 'may be one expression', text: '- status: "${spec.s}"', spec: { s: { a: 1 } }, expected: { a: 1 } },
    { name: 'that yields nothing', text: '- status: "${spec.s}"', expected: {} },
    {
      name: 'merges maps of several tasks',
      text: '- status: {m: {a: 1}}\n- status: {m: {b: 2}}\n- status: {m: {a: 1}}',
      expected: { m: { a: 1, b: 2 } },
    },
    {
      name: 'leaves out what is not a condition',
      text: '- status: {conditions: ["${spec.s}", {type: A, status: "True"}]}\n- status: {conditions: ["${spec.t}"]}',
      spec: { s: 5, t: 6 },
      expected: { conditions: [{ type: 'A', status: 'True' }] },
    },
    {
      name: 'merges conditions by type, without those of the engine',
      text: '- status: "${spec.s}"\n- status: {conditions: [{type: B, status: "True"}]}',
      spec: {
        s: {
          observedGeneration: 9,
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'A', status: 'True' },
          ],
        },
      },
      expected: {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'B', status: 'True' },
        ],
      },
    },
  ]
  for (const { name, text, spec = {}, expected } of statuses) {
    it(`status ${name}`, async () => expect((await runTasks(text, { spec })).status).to.deep.equal(expected))
  }

  const ends: { name: string; text: string; spec?: JsonObject; end: string }[] = [
    {
      name: 'a status that is not a map',
      text: '- status: "${spec.s}"',
      spec: { s: 5 },
      end: 'failed Invalid the status is not an object',
    },
    {
      name: 'two values of one field',
      text: '- status: {a: {b: 1}}\n- status: {a: {b: 2}}',
      end: 'failed Failed cannot set `status.a.b`: two `status` tasks give it different values (keep one)',
    },
    {
      name: 'two forms of one condition',
      text: '- status: {conditions: [{type: A, status: "True"}]}\n- status: {conditions: [{type: A, status: "False"}]}',
      end: 'failed Failed cannot set condition "A": two `status` tasks set it differently (keep one)',
    },
    {
      name: 'conditions that have come down to the only one',
      text: '- status: {conditions: "${spec.s[0]}"}',
      spec: { s: [{ type: 'Ready', status: 'True' }] },
      end: 'failed Invalid `status.conditions` is not a list',
    },
    {
      name: 'a wait that is over',
      text: '- wait: {for: "${spec.go}", message: m}',
      spec: { go: true },
      end: 'complete',
    },
    {
      name: 'a wait',
      text: '- wait: {for: "${spec.go}", message: "not ${spec.x}"}',
      spec: { x: 'yet' },
      end: 'waiting not yet',
    },
    {
      name: 'a wait with a time that is none',
      text: '- wait: {for: "${spec.go}", message: m, timeout: "${spec.t}"}',
      spec: { t: 'soon' },
      end: 'failed Invalid `timeout` is not a duration such as 5m',
    },
    {
      name: 'a wait with a number for a time',
      text: '- wait: {for: "${spec.go}", message: m, timeout: "${spec.t}"}',
      spec: { t: 5 },
      end: 'failed Invalid `timeout` is not a duration such as 5m',
    },
    {
      name: 'assertions that hold',
      text: '- assert: {that: ["${1 = 1}", "${spec.x = 1}"], message: m}',
      spec: { x: 1 },
      end: 'complete',
    },
    {
      name: 'one that does not',
      text: '- assert: {that: ["${1 = 1}", "${spec.x = 1}"], message: "not ${spec.x}"}',
      spec: { x: 2 },
      end: 'failed Failed not 2',
    },
    { name: 'a failure', text: '- fail: {message: "no ${spec.x}"}', spec: { x: 'way' }, end: 'failed Failed no way' },
    {
      name: 'a failure with a number as its message',
      text: '- fail: {message: "${spec.x}"}',
      spec: { x: 5 },
      end: 'failed Failed 5',
    },
    {
      name: 'a failure with an object as its message',
      text: '- fail: {message: "${spec.x}"}',
      spec: { x: { a: 1 } },
      end: 'failed Invalid `message` is not text',
    },
    {
      name: 'a wait with an object as its message',
      text: '- wait: {for: "${spec.go}", message: "${spec.x}"}',
      spec: { x: { a: 1 } },
      end: 'failed Invalid `message` is not text',
    },
    {
      name: 'an assertion with a list as its message',
      text: '- assert: {that: ["${false}"], message: "${spec.x}"}',
      spec: { x: [1, 2] },
      end: 'failed Invalid `message` is not text',
    },
    {
      name: 'a wait for what is neither true nor false',
      text: '- wait: {for: "${spec.x}", message: m}',
      spec: { x: 'hush' },
      end: 'failed Failed wait.for yields text, not true or false: write `$exists(…)`',
    },
  ]
  for (const { name, text, spec = {}, end } of ends) {
    it(name, async () => expect((await runTasks(text, { spec })).end).to.equal(end))
  }

  const made = 'ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}'
  const broken: { name: string; text: string; place: string }[] = [
    { name: 'a wait', text: '- wait: {for: "${$uppercase(spec.x)}", message: m}', place: 'wait.for' },
    {
      name: 'the second assertion',
      text: '- assert: {that: ["${true}", "${$uppercase(spec.x)}"], message: m}',
      place: 'assert.that[1]',
    },
    { name: 'a readiness', text: `- ${made}\n  readyWhen: \${$uppercase(spec.x)}`, place: 'readyWhen' },
    { name: 'a wait for readiness', text: `- ${made}\n  waitReady: \${$uppercase(spec.x)}`, place: 'waitReady' },
    { name: 'a `when`', text: `- ${made}\n  when: \${$uppercase(spec.x)}`, place: 'when' },
  ]
  for (const { name, text, place } of broken) {
    it(`${name} that fails is named by field, code and function`, async () => {
      const { end } = await runTasks(text, { spec: { x: 421_042 } })
      expect(end.startsWith(`failed Failed ${place}: T0410: `), end).to.equal(true)
      expect(end).to.include('uppercase').and.not.include('421042')
    })
  }

  it('a wait carries its time limit', async () => {
    const { outcome } = await runTasks('- wait: {for: "${false}", message: m, timeout: 2m}')
    expect(outcome.stoppedBy?.outcome).to.include({ kind: 'waiting', timeout: 120_000 })
  })
})
