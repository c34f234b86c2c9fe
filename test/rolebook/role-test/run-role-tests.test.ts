import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { testCommand } from '../../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROLE = `tasks:
  - name: Map
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "\${metadata.name}"}
      data: {colour: "\${spec.colour}"}
  - name: Ports
    when: \${$exists(spec.port) and spec.port > 0}
    ensure:
      apiVersion: v1
      kind: Service
      metadata: {name: "\${metadata.name}"}
      spec: {ports: [{port: "\${spec.port}"}]}
  - name: Colour
    status: {colour: "\${spec.colour}"}
`

const WIDGET_A = `given:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: a}
    spec: {colour: red}
`

const CLEANUP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: cleanup}}'

describe('rolebook test on a role of its own', () => {
  const folder = temporaryFolder()
  const roles = join(folder.path, 'roles')
  const testFile = join(roles, 'widget/tests/colour.yaml')
  before(() => {
    mkdirSync(dirname(testFile), { recursive: true })
    writeFileSync(
      join(folder.path, 'watches.yaml'),
      '- {group: example.com, version: v1, kind: Widget, role: widget}\n',
    )
    writeFileSync(join(roles, 'widget/role.yaml'), ROLE)
    writeFileSync(join(roles, 'widget/crd.yaml'), printYaml([crd(WIDGET)]))
  })
  after(() => folder.remove())

  async function runTests(text: string, ...more: string[]): Promise<FakeTerminal & { code: number }> {
    writeFileSync(testFile, text)
    return runOn(new FakeTerminal(), ...more)
  }

  async function runOn(terminal: FakeTerminal, ...more: string[]): Promise<FakeTerminal & { code: number }> {
    const args = ['test', '--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', roles, ...more]
    const parsed = parseCommandLine(args, { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    const code = await parsed.command.run(parsed.invocation)
    return Object.assign(terminal, { code })
  }

  const passing: Readonly<Record<string, string>> = {
    'given objects are there before the operator': `
  - expect: [{kind: ConfigMap, name: a, data: {colour: red}}]
    writes: {ConfigMap: 1, Widget/status: 1}`,
    'a patch is an edit by another client': `
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]
    writes: {ConfigMap: 1, Widget/status: 1}`,
    'what the server refuses, and is to refuse': `
  - create: {apiVersion: v1, kind: ConfigMap, metadata: {name: A}}
    refused: {matches: 'Invalid value: "A": a lowercase RFC 1123 subdomain'}
    absent: [{kind: ConfigMap, name: A}]
    writes: {}`,
    'a status is patched on its subresource, and the role has its own part again': `
  - patch: {kind: Widget, name: a, status: {colour: green, other: 1}}
    expect: [{kind: Widget, name: a, status: {colour: red, other: 1}}]
    writes: {Widget/status: 1}`,
    'a status is removed on its subresource': `
  - patch: {kind: Widget, name: a, status: {other: 1}}
  - patch: {kind: Widget, name: a, status: null}
    expect: [{kind: Widget, name: a, status: {colour: red, other: {absent: true}}}]`,
    'objects are created, with their status': `
  - create:
      - {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: x}]}, status: {phase: Failed}}
      - {apiVersion: v1, kind: Namespace, metadata: {name: team}}
    expect: [{kind: Pod, name: p, status: {phase: {matches: "Failed|Running"}}}, {kind: Namespace, name: team}]`,
    'objects are deleted, and are gone with what was made': `
  - delete: {kind: Widget, name: a}
    absent: [{kind: Widget, name: a}, {kind: ConfigMap, name: a}, {kind: ConfigMap, name: b, namespace: other}]`,
    'a step in which nothing happens counts its own writes': `
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
  - writes: {}`,
    'objects are found by what their names look like': `
  - expect: [{kind: ConfigMap, name: {matches: "^a$"}, data: {colour: red}}]
    absent: [{kind: ConfigMap, name: {matches: "^b"}}]`,
    'objects are found by their labels': `
  - create: {apiVersion: v1, kind: ConfigMap, metadata: {name: m, labels: {app: web, tier: front}}, data: {of: m}}
    expect:
      - {kind: ConfigMap, labels: {app: web}, data: {of: m}}
      - {kind: ConfigMap, name: m, labels: {tier: {matches: "^f"}}}
    absent: [{kind: ConfigMap, labels: {app: other}}, {kind: ConfigMap, name: a, labels: {app: web}}]`,
    'conditions are found by their types': `
  - patch: {kind: Widget, name: a, status: {conditions: [{type: A, status: "True"}, {type: B, status: "False"}]}}
    expect: [{kind: Widget, name: a, status: {conditions: [{type: B, status: "False"}]}}]`,
    'nothing is written at rest': `
  - advance: 10h
    writes: {}`,
    'an operator that is asked to end is followed by another one, which writes nothing': `
  - restart: stop
    writes: {}`,
    'an operator that crashes at work is followed by one that ends it': `
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    wait: 0s
  - restart: crash
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]`,
    'a lost answer is asked for again': `
  - fail: {verb: patch, kind: ConfigMap, drop: after}
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]
    leaks: []`,
    'time passes for as long as a step waits': `
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    wait: 1s
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]`,
    'an operator that is asked to end while a server has it wait ends, and the next one does its work': `
  - fail: {verb: patch, kind: ConfigMap, code: 429, times: 1}
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    wait: 10ms
  - restart: stop
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]`,
    'what a test creates itself is no leak': `
  - create: {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {k: open-sesame}}
  - create:
      - {apiVersion: v1, kind: Event, metadata: {name: x}, message: open-sesame, involvedObject: {namespace: default}}
    leaks: []`,
    'faults end': `
  - fail: {verb: patch, code: 403, times: 100}
  - fail: []
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]`,
    'a fault is for as many requests as it says': `
  - fail: {verb: patch, kind: ConfigMap, code: 500, times: 2}
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]
    writes: {ConfigMap: 1, Widget/status: 1}`,
    'a fault of a verb for all kinds': `
  - fail: [{verb: patch, code: 403, times: 100}]
  - patch: {kind: Widget, name: a, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, data: {colour: red}}]
    writes: {}`,
  }
  for (const [name, steps] of Object.entries(passing)) {
    it(name, async () => {
      const { code, stdout, stderr } = await runTests(`${WIDGET_A}steps:${steps}\n`)
      expect(code, stdout + stderr).to.equal(0)
    })
  }

  it('without workloads no pod ever runs', async () => {
    const pod = '{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: x}]}}'
    const steps = `steps:\n  - create: ${pod}\n    expect: [{kind: Pod, name: p, status: {phase: Pending}}]\n`
    const { code, stdout } = await runTests(`workloads: false\n${WIDGET_A}${steps}`)
    expect(code, stdout).to.equal(0)
  })

  const failing: readonly { readonly name: string; readonly steps: string; readonly says: readonly string[] }[] = [
    {
      name: 'another value',
      steps: '  - expect: [{kind: ConfigMap, name: a, data: {colour: blue}}]',
      says: [
        'ConfigMap default/a is not as expected',
        'data.colour',
        'expected  "blue"',
        'actual    "red"',
        'Ready=True',
      ],
    },
    {
      name: 'an object that is not there',
      steps: '  - expect: [{kind: ConfigMap, name: b}]',
      says: ['colour.yaml:7:14 there is no ConfigMap default/b', 'of the kind there are:', 'default/a'],
    },
    {
      name: 'a kind without any object',
      steps: '  - expect: [{kind: Job, name: b}]',
      says: ['there is no Job default/b', 'there is no Job at all'],
    },
    {
      name: 'an object that should be gone',
      steps: '  - absent: [{kind: ConfigMap, name: a}]',
      says: ['ConfigMap default/a is there, and should not be'],
    },
    {
      name: 'an Event of another reason',
      steps: `  - create: {apiVersion: v1, kind: Event, metadata: {name: x}, reason: One, involvedObject: {namespace: default}}
  - expect: [{kind: Event, reason: Two}]`,
      says: ['there is no Event with the reason Two in default', 'of the kind there are:', 'default/x One'],
    },
    {
      name: 'an Event that should not be',
      steps: `  - create: {apiVersion: v1, kind: Event, metadata: {name: x}, reason: One, involvedObject: {namespace: default}}
  - absent: [{kind: Event, reason: One}]`,
      says: ['Event with the reason One in default is there, and should not be'],
    },
    {
      name: 'an object that is being deleted',
      steps: `  - patch: {kind: Widget, name: a, metadata: {finalizers: [example.com/mine]}}
  - delete: {kind: Widget, name: a}
    absent: [{kind: Widget, name: a}]`,
      says: ['it is being deleted; finalizers: example.com/mine'],
    },
    {
      name: 'other writes',
      steps: '  - writes: {ConfigMap: 2, Widget/status: 1}',
      says: [
        'colour.yaml:7:13 the engine has not written',
        'ConfigMap',
        'expected  2',
        'actual    1',
        'apply ConfigMap default/a',
      ],
    },
    {
      name: 'no writes, and a request that was refused',
      steps: `  - fail: {verb: patch, kind: ConfigMap, code: 403, times: 100}
  - name: refused
    patch: {kind: Widget, name: a, spec: {colour: blue}}
    writes: {ConfigMap: 1}`,
      says: ['(refused)', 'apply ConfigMap default/a, refused: Forbidden', 'Stalled=True Forbidden'],
    },
    {
      name: 'a step that the server takes and was to refuse',
      steps: '  - patch: {kind: Widget, name: a, spec: {colour: blue}}\n    refused: {matches: odd}',
      says: ['colour.yaml:8:14 the server takes what the step expects it to refuse'],
    },
    {
      name: 'another refusal than the step expects',
      steps: '  - patch: {kind: Widget, name: b, spec: {}}\n    refused: {matches: must be odd}',
      says: ['colour.yaml:8:14 the server refuses the step with another message', 'expected  must be odd', 'not found'],
    },
    {
      name: 'a step that is to be refused and names nothing that is there',
      steps: '  - delete: {kind: Widget, name: b}\n    refused: {matches: there is no}',
      says: ['the step cannot be done: there is no Widget b'],
    },
    {
      name: 'a step that cannot be done',
      steps: '  - delete: {kind: Widget, name: b}',
      says: ['the step cannot be done: there is no Widget b'],
    },
    {
      name: 'long values below each other, and no conditions',
      steps: `  - create: [{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {text: ${'x'.repeat(120)}}}]
    expect: [{kind: ConfigMap, name: m, data: {text: short, other: more}}]`,
      says: ['data.text', '      "xxx', 'data.other', 'actual    nothing'],
    },
    {
      name: 'how many items there are',
      steps: `  - patch: {kind: Widget, name: a, spec: {list: [1]}}
    expect: [{kind: Widget, name: a, spec: {list: [1, 2]}}]`,
      says: ['spec.list: 2 items are expected and 1 are there'],
    },
    {
      name: 'that a resource is not ready and does not say why',
      steps: `  - fail: {verb: patch, code: 403, times: 100}
  - patch: {kind: Widget, name: a, status: {conditions: [{type: Ready, status: "False"}]}}
    expect: [{kind: Job, name: b}]`,
      says: ['there is no Job default/b (step 2)\n    Widget default/a is not ready: : \n'],
    },
    {
      name: 'how a cluster-scoped object was looked for, in no namespace',
      steps: '  - expect: [{kind: Namespace, name: {matches: "^b"}}]',
      says: ['there is no Namespace with the name {"matches":"^b"} ('],
    },
    {
      name: 'how an object was looked for',
      steps:
        '  - expect: [{kind: ConfigMap, name: {matches: "^b"}, labels: {app: web}}]\n    absent: [{kind: Event, reason: X}]',
      says: ['there is no ConfigMap with the name {"matches":"^b"} and the labels {"app":"web"} in default'],
    },
    {
      name: 'first why a resource is not ready',
      steps: `  - fail: {verb: patch, kind: ConfigMap, code: 403, times: 100}
  - create: {apiVersion: example.com/v1, kind: Widget, metadata: {name: z}, spec: {colour: red}}
    expect: [{kind: ConfigMap, name: z}]`,
      says: ['there is no ConfigMap default/z (step 2)\n    Widget default/z is not ready: '],
    },
    {
      name: 'of many writes the first',
      steps: `  - create: [${Array.from({ length: 12 }, (_, index) => `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w${index}}, spec: {colour: red}}`).join(', ')}]
    writes: {}`,
      says: ['and 4 more'],
    },
    {
      name: 'a request that has no code',
      steps:
        '  - fail: {verb: patch, kind: ConfigMap, code: 418, times: 100}\n  - patch: {kind: Widget, name: a, spec: {colour: blue}}\n    writes: {ConfigMap: 1}',
      says: ['refused: '],
    },
    {
      name: 'a status that is not a map',
      steps: '  - patch: {kind: Widget, name: a, status: text}',
      says: ['colour.yaml:7:5 the step cannot be done', 'status'],
    },
    {
      name: 'a patch of what is not there',
      steps: '  - patch: {kind: Widget, name: b, spec: {}}\n  - advance: 1s\n    writes: {Secret: 1}',
      says: ['colour.yaml:7:5 the step cannot be done', 'not found'],
    },
  ]
  for (const { name, steps, says } of failing) {
    it(`a failure shows ${name}`, async () => {
      const { code, stdout } = await runTests(`${WIDGET_A}steps:\n${steps}\n`)
      expect(code).to.equal(1)
      for (const text of says) expect(stdout).to.include(text)
    })
  }

  it('what is given and cannot be made is a failure', async () => {
    const { code, stdout } = await runTests(
      'given: [{apiVersion: v1, kind: Pod, metadata: {name: A}}]\nsteps: [{advance: 1s}]\n',
    )
    expect(code).to.equal(1)
    expect(stdout).to.include('colour.yaml:1:8 what is given cannot be made')
  })

  it('a CRD may be given', async () => {
    const other = crd({ group: 'other.com', version: 'v1', kind: 'Gizmo' })
    const given = `given:\n  - ${JSON.stringify(other)}\n  - {apiVersion: other.com/v1, kind: Gizmo, metadata: {name: g}}\n`
    const { code, stdout, stderr } = await runTests(`${given}steps:\n  - expect: [{kind: Gizmo, name: g}]\n`, 'colour')
    expect([code, stdout, stderr]).to.deep.include(0)
  })

  it('a given CRD whose kind another one has is not established, and the test goes on', async () => {
    const one = JSON.stringify(crd({ group: 'other.com', version: 'v1', kind: 'Gizmo' }))
    const given = `given:\n  - ${one}\n  - ${one.replaceAll('gizmos', 'gizmoz')}\n`
    const status = 'status: {conditions: [{type: Established, status: "False", reason: NotAccepted}]}'
    const steps = `steps:\n  - expect: [{kind: CustomResourceDefinition, name: gizmoz.other.com, ${status}}]\n`
    const { code, stdout, stderr } = await runTests(given + steps)
    expect(code, stdout + stderr).to.equal(0)
  })

  it('--update rewrites what is not met, and nothing else', async () => {
    const text = `${WIDGET_A}steps:
  - expect: # of the role
      - {kind: ConfigMap, name: a, data: {colour: blue}}
    writes:
      ConfigMap: 3 # one
      Secret: 1
      Widget/status: 1
  - patch: {kind: Widget, name: a, spec: {colour: green}}
    expect:
      - kind: ConfigMap
        name: a
        data:
          equals: {colour: blue}
    writes: {}
`
    const { code, stdout, stderr } = await runTests(text, '--update')
    expect(code, stdout + stderr).to.equal(0)
    const expected = text
      .replace('data: {colour: blue}', 'data: {colour: red}')
      .replace('ConfigMap: 3', 'ConfigMap: 1')
      .replace('Secret: 1', 'Secret: 0')
      .replace('equals: {colour: blue}', 'equals: { colour: green }')
      .replace('writes: {}', 'writes: { ConfigMap: 1, Widget/status: 1 }')
    expect(readFileSync(testFile, 'utf8')).to.equal(expected)
  })

  it('--update writes no value of a Secret but those that the file gives', async () => {
    const role = `tasks:
  - {get: {apiVersion: v1, kind: Secret, name: known}, register: known}
  - {ensure: {apiVersion: v1, kind: Secret, metadata: {name: own}}, generate: {k: {}}, register: own}
  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: copy}
      data: {url: "db://u:\${$base64decode($own.data.k)}@h", known: "\${$base64decode($known.data.k)}", colour: red}
`
    const text = `given:
  - {apiVersion: v1, kind: Secret, metadata: {name: known}, stringData: {k: known-to-all}}
  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {colour: red}}
steps:
  - expect:
      - {kind: Secret, name: own, data: {k: made-up}}
      - {kind: ConfigMap, name: copy, data: {url: made-up, known: made-up, colour: made-up}}
`
    writeFileSync(join(roles, 'widget/role.yaml'), role)
    try {
      const { code, stdout } = await runTests(text, '--update')
      expect(code).to.equal(1)
      expect(stdout).to.contain('it holds a value of a Secret, which `--update` never writes')
      const kept = text.replace('known: made-up', 'known: known-to-all').replace('colour: made-up', 'colour: red')
      expect(readFileSync(testFile, 'utf8')).to.equal(kept)
    } finally {
      writeFileSync(join(roles, 'widget/role.yaml'), ROLE)
    }
  })

  it('--update leaves what it cannot mend', async () => {
    const text = `${WIDGET_A}steps:\n  - expect: [{kind: ConfigMap, name: b}]\n`
    const { code } = await runTests(text, '--update')
    expect(code).to.equal(1)
    expect(readFileSync(testFile, 'utf8')).to.equal(text)
  })

  const one = `${WIDGET_A}steps:\n  - {name: the first, expect: [{kind: ConfigMap, name: a, data: {colour: "<>&"}}]}\n`

  it('--reporter junit prints XML', async () => {
    const { code, stdout } = await runTests(one, '--reporter', 'junit')
    expect(code).to.equal(1)
    expect(stdout).to.match(/<testsuites tests="1" failures="1" time="[\d.]+">/)
    expect(stdout).to.match(/<testcase classname="widget" name="colour" file="[^"]*colour.yaml" time="[\d.]+">/)
    expect(stdout).to.include('<failure message="the first: ConfigMap default/a is not as expected">')
    expect(stdout).to.include('&quot;&lt;&gt;&amp;&quot;')
  })

  it('has not succeeded when it is stopped before all tests have run', async () => {
    const passes = one.replace('"<>&"', 'red')
    const second = testFile.replace('colour', 'second')
    writeFileSync(testFile, passes)
    writeFileSync(second, passes)
    const terminal = new FakeTerminal()
    const afterTheFirst = terminal.until(({ stdout }) => {
      if (stdout !== '') terminal.stop()
      return stdout !== ''
    })
    const { code, stdout, stderr } = await runOn(terminal)
    await afterTheFirst
    rmSync(second)
    expect([code, stderr], stdout).to.deep.equal([1, 'stopped: 1 of 2 tests have run\n'])
  })

  it('a pattern that no test has in its path is an error that names the tests', async () => {
    const { code, stderr, stdout } = await runTests(`${WIDGET_A}steps: [{advance: 1s}]\n`, 'nothing')
    expect(code).to.equal(2)
    expect(stdout).to.equal('')
    expect(stderr).to.equal(`rolebook test: no test was selected: there are ${testFile}\n`)
  })

  it('--coverage shows what no test reaches', async () => {
    const { stdout } = await runTests(one.replace('"<>&"', 'red'), '--coverage')
    expect(stdout).to.include(
      'coverage of widget: 2 of 3 tasks run\n  always skipped: Ports\n  `when` never true: Ports\n',
    )
    expect(stdout).to.include('  `and` never decided by its right side: $exists(spec.port) and spec.port > 0\n')
    const fault = 'fail: {verb: patch, kind: Service, code: 403, times: 100}'
    const port = 'patch: {kind: Widget, name: a, spec: {port: 80}}'
    const both = await runTests(`${WIDGET_A}steps:\n  - ${fault}\n  - ${port}\n`, '--coverage')
    expect(both.stdout).to.include('coverage of widget: 3 of 3 tasks run\n')
    expect(both.stdout).not.to.include('Ports')
    const none = await runTests('steps: [{advance: 1s}]\n', '--coverage', '--reporter', 'json')
    expect(none.stderr).to.include('  never reached: Map\n')
  })

  it('runs `finalize`, and counts its tasks', async () => {
    const role = join(roles, 'widget/role.yaml')
    writeFileSync(
      role,
      `${ROLE}finalize:\n  - name: Clean up\n    ensure: ${CLEANUP}\n    readyWhen: \${$self.data.done = "yes"}\n    waitReady: true\n`,
    )
    try {
      const deletion =
        '{delete: {kind: Widget, name: a}, expect: [{kind: ConfigMap, name: cleanup}, {kind: ConfigMap, name: a}]}'
      const done =
        '{patch: {kind: ConfigMap, name: cleanup, data: {done: "yes"}}, absent: [{kind: Widget, name: a}, {kind: ConfigMap, name: cleanup}]}'
      const { code, stdout, stderr } = await runTests(`${WIDGET_A}steps:\n  - ${deletion}\n  - ${done}\n`, '--coverage')
      expect(code, stdout + stderr).to.equal(0)
      expect(stdout).to.include('coverage of widget: 3 of 4 tasks run\n  always skipped: Ports\n')
    } finally {
      writeFileSync(role, ROLE)
    }
  })

  it('--reporter json prints what programs read', async () => {
    const { stdout } = await runTests(one, '--reporter', 'json')
    const [result] = JSON.parse(stdout)
    expect(result).to.include({ role: 'widget', passed: false })
    expect(result.failures[0]).to.include({ line: 7, column: 74, step: 'the first' })
  })

  it('--reporter github prints annotations, and how many tests have passed', async () => {
    const { code, stdout } = await runTests(one, '--reporter', 'github')
    expect(code).to.equal(1)
    const [annotation, ...rest] = stdout.split('\n')
    expect(annotation).to.match(
      /^::error file=.*colour\.yaml,line=7,col=74,title=the first%3A ConfigMap default\/a is not as expected::/,
    )
    expect(rest.join('\n')).to.match(/^1 test: 0 passed, 1 failed \([\d.]+ s\)\n$/)
  })

  const selections = [
    { args: ['colour'], tests: '1 test:' },
    { args: ['no such'], tests: 'no test was selected' },
    { args: ['--filter', 'the f.rst'], tests: '1 test:' },
    { args: ['--filter', 'the second'], tests: 'no test was selected' },
    { args: ['--filter', 'colour\\.yaml$'], tests: '1 test:' },
  ]
  for (const { args, tests } of selections) {
    it(`${args.join(' ')}: ${tests}`, async () => {
      const { stdout, stderr } = await runTests(one, ...args)
      expect(stdout + stderr).to.include(tests)
    })
  }

  it('a filter that is not an expression is wrong usage', async () => {
    let refused: unknown
    await runTests(one, '--filter', '(').catch((error: unknown) => {
      refused = error
    })
    expect(String(refused)).to.include('--filter')
  })

  it('a broken file is wrong usage, with its place', async () => {
    const { code, stderr } = await runTests('steps:\n  - expekt: []\n')
    expect(code).to.equal(2)
    expect(stderr).to.match(/colour\.yaml:2:5 error RB1020/)
  })

  it('says where tests are written when there are none', async () => {
    writeFileSync(testFile, one)
    rmSync(testFile)
    const { code, stdout, stderr } = await runOn(new FakeTerminal())
    expect([code, stderr]).to.deep.equal([0, 'there are no tests: they are written in roles/<role>/tests/\n'])
    expect(stdout).to.equal('0 tests: 0 passed, 0 failed (0.0 s)\n')
  })

  it('--watch runs them again when a file changes', async () => {
    const good = one.replace('"<>&"', 'red')
    writeFileSync(testFile, good)
    const terminal = new FakeTerminal()
    const args = [
      'test',
      '--watches-file',
      join(folder.path, 'watches.yaml'),
      '--roles-path',
      roles,
      'colour',
      '--watch',
    ]
    const parsed = parseCommandLine(args, { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    const running = parsed.command.run(parsed.invocation)
    await terminal.until(({ stdout }) => stdout.includes('1 passed, 0 failed'))
    await new Promise((resolve) => setImmediate(resolve))
    writeFileSync(testFile, one)
    await terminal.until(({ stdout }) => stdout.includes('0 passed, 1 failed'))
    terminal.stop()
    expect(await running).to.equal(0)
  })
})
