import { expect } from 'chai'
import { FINALIZER } from '../../../src/engine/reconcile/ownership/ownership.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import type { RequestEntry } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { besidesCheck } from '../../support/besides-check.ts'
import { credsOf, READ_CREDS } from '../../support/creds.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, DEPLOYMENT, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../support/operator-sandbox.ts'
import { pinConfigMap, READ_PIN } from '../../support/pin-tasks.ts'
import { formsIn } from '../../support/secret-sinks.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PASSWORD = 'c4nary/Tr0ub4dor-9xQ'
const FORMER = 'f0rmer/Passw0rd-1aB'

const config = (name: string, text: string): string => `
  - name: ${name}
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { text: "${text}" } }`
const web = (image: string, more = ''): string => `
  - name: Web
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: \${spec.size}
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: app, args: [serve], image: "${image}"${more} }] }`

const HUSH = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hush' }, data: { it: PASSWORD } }
const READ_HUSH = '\n  - sensitive: true\n    get: { apiVersion: v1, kind: ConfigMap, name: hush }\n    register: hush'

/** What runs in the cluster. */
const RUNNING = `${web('app:1')}${config('kept', '${spec.text}')}${config('dropped', 'x')}
  - status: { text: "\${spec.text}" }`

interface Case {
  readonly name: string
  readonly tasks: string
  readonly args?: readonly string[]
  readonly code: number
  readonly out: string
  readonly err?: RegExp
}

const CASES: readonly Case[] = [
  { name: 'nothing where the roles are those that run', tasks: RUNNING, code: 0, out: '1 resource: no differences\n' },
  {
    name: 'what would be created, changed and removed, field by field',
    tasks: `${web('app:2')}${config('kept', '${spec.text}!')}${config('more', 'x')}
  - status: { text: "\${spec.text}!" }`,
    code: 3,
    out: `Widget default/w (role widget)
  ~ Deployment default/web
      spec.template.spec.containers[name=app].image: "app:1" → "app:2"
  ~ ConfigMap default/kept
      data.text: "one" → "one!"   \${spec.text}
  + ConfigMap default/more
  - ConfigMap default/dropped
  ~ the resource itself
      status.text: "one" → "one!"

1 resource: 1 to create, 3 to change, 1 to remove
`,
  },
  {
    name: 'a condition of the role that would be set, and none of the engine',
    tasks: `${RUNNING}
  - status: { conditions: [{ type: Degraded, status: "True", reason: Slow, message: "it is slow" }] }`,
    code: 3,
    out: `Widget default/w (role widget)
  ~ the resource itself
      status.conditions: nothing → [{"observedGeneration":1,"type":"Degraded","status":"True","reason":"Slow","message":"it is slow","lastTransitionTime...

1 resource: 0 to create, 1 to change, 0 to remove
`,
  },
  {
    name: 'what later tasks make of what earlier ones would have made',
    tasks: `${web('app:1')}${config('kept', '${spec.text}')}${config('dropped', 'x')}${config('first', 'it')}
    register: first${config('second', '${$first.data.text} and more')}
  - get: { apiVersion: v1, kind: ConfigMap, name: second }
    register: second
  - list: { apiVersion: v1, kind: ConfigMap, labels: { of: nobody } }
    register: none${config('third', '${$second.data.text}')}
  - status: { text: "\${spec.text}" }`,
    args: ['-o', 'json'],
    code: 3,
    out: `{
  "resources": [
    {
      "resource": {
        "group": "example.com",
        "kind": "Widget",
        "namespace": "default",
        "name": "w"
      },
      "role": "widget",
      "objects": [
        {
          "apiVersion": "v1",
          "kind": "ConfigMap",
          "namespace": "default",
          "name": "first",
          "action": "create",
          "manifest": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
              "name": "first",
              "namespace": "default"
            },
            "data": {
              "text": "it"
            }
          }
        },
        {
          "apiVersion": "v1",
          "kind": "ConfigMap",
          "namespace": "default",
          "name": "second",
          "action": "create",
          "manifest": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
              "name": "second",
              "namespace": "default"
            },
            "data": {
              "text": "it and more"
            }
          }
        },
        {
          "apiVersion": "v1",
          "kind": "ConfigMap",
          "namespace": "default",
          "name": "third",
          "action": "create",
          "manifest": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
              "name": "third",
              "namespace": "default"
            },
            "data": {
              "text": "it and more"
            }
          }
        }
      ],
      "failed": false
    }
  ]
}
`,
  },
]

long.describe('rolebook diff prints', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const { at, write } = folder
  const requests: string[] = []
  let sandbox: OperatorSandbox
  before(async () => {
    const onRequest = ({ method, path }: RequestEntry): void => void requests.push(`${method} ${path}`)
    sandbox = await OperatorSandbox.start({ workloads: false, tls: true, onRequest })
    writeKubeconfig(at('kubeconfig'), sandbox.access)
    sandbox.run(await projectOf({ widget: `tasks:${RUNNING}\n` }))
    await sandbox.widget('w', { size: 2, text: 'one' })
    await sandbox.ready('NotReady')
    await sandbox.settled()
    await sandbox.halt()
    requests.length = 0
  })
  after(async () => {
    await sandbox.stop()
    folder.remove()
  })

  async function diff(tasks: string, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    write('watches.yaml', '- { group: example.com, version: v1, kind: Widget, role: widget }\n')
    write('roles/widget/role.yaml', `tasks:${tasks}\n`)
    const terminal = new FakeTerminal()
    const flags = ['--watches-file', at('watches.yaml'), '--roles-path', at('roles'), '--kubeconfig', at('kubeconfig')]
    const code = await runProgram(['diff', ...flags, ...args], terminal)
    return { code, out: terminal.stdout, err: besidesCheck(terminal.stderr) }
  }

  for (const { name, tasks, args = [], code, out } of CASES) {
    it(name, async () => {
      expect(await diff(tasks, ...args)).to.deep.equal({ code, out, err: '' })
    })
  }

  it('and nothing is written: every write is a dry run', async () => {
    const state = async (): Promise<string> =>
      JSON.stringify(await Promise.all([WIDGET, CONFIG_MAP, DEPLOYMENT, SECRET].map((gvk) => sandbox.client.list(gvk))))
    const before = await state()
    requests.length = 0
    const tasks = `${web('app:2')}${config('more', 'x')}
  - patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: dropped, labels: { of: w } } }
  - event: { type: Normal, reason: Reported, message: hello }
  - status: { text: other }`
    expect((await diff(tasks)).code).to.equal(3)
    const writes = requests.filter((request) => !request.startsWith('GET '))
    expect(writes).to.have.length.above(5)
    expect(writes.filter((request) => !/[?&]dryRun=All(&|$)/.test(request))).to.deep.equal([])
    expect(await state()).to.equal(before)
  })

  it('no value of a Secret, neither the present nor the former one', async () => {
    await sandbox.apply(credsOf({ password: PASSWORD }))
    const env = `, env: [{ name: P, value: "\${$base64decode($creds.data.password)}" }, { name: Q, value: "\${spec.text}" }]`
    const tasks = `\n${READ_CREDS}${web('app:1', env)}
  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: copy }, data: { it: "\${$creds.data.password}" } }
  - sensitive: true
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: hidden }, data: { it: "${FORMER}" } }
  - generate: { token: { length: 12 } }
    ensure: { apiVersion: v1, kind: Secret, metadata: { name: made } }
  - fail: { message: "it is \${$base64decode($creds.data.password)}" }`
    const name = 'containers[name=app].env'
    for (const output of ['text', 'json', 'yaml']) {
      const { code, out, err } = await diff(tasks, '-o', output)
      expect(code).to.equal(1)
      expect([...formsIn(out + err, PASSWORD), ...formsIn(out + err, FORMER)]).to.deep.equal([])
      expect(out).to.contain(name)
      expect(out).to.contain('Failed: task').and.to.contain('(sensitive)')
    }
  })

  it('nothing that a sensitive task has read, in objects that are not sensitive', async () => {
    await sandbox.apply(HUSH)
    const { out } = await diff(`${READ_HUSH}${config('copied', '${$hush.data.it}')}`, '-o', 'json')
    expect(out).to.contain('"name": "copied"')
    expect(formsIn(out, PASSWORD)).to.deep.equal([])
  })

  it('nothing that a sensitive task of `finalize` has read, of a resource that would then be gone', async () => {
    await sandbox.apply(HUSH)
    await sandbox.widget('leaving', { size: 1, text: 'two' }, { namespace: 'default', finalizers: [FINALIZER] })
    await sandbox.remove(WIDGET, 'leaving')
    const { out } = await diff(
      `${RUNNING}\nfinalize:${READ_HUSH}${config('copied', '${$hush.data.it}')}\n    retain: true`,
      '-o',
      'json',
      'widget/leaving',
    )
    await sandbox.edit(WIDGET, 'leaving', { metadata: { finalizers: [] } })
    expect(out).to.contain('"name": "copied"')
    expect(formsIn(out, PASSWORD)).to.deep.equal([])
  })

  it('nothing that is made of a Secret, however short, in objects that are new', async () => {
    await sandbox.apply(credsOf({ pin: '47113', long: 'correct-horse' }))
    const settings = pinConfigMap('{ name: settings, annotations: { "${$pin}": x } }')
    const tasks = `\n${READ_PIN}${settings}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${$pin}" } }`
    for (const output of ['text', 'json', 'yaml']) {
      const { out } = await diff(tasks, '-o', output)
      expect(out).to.contain('settings').and.to.contain('(sensitive)')
      expect(out).to.not.match(/47113|corre/)
      if (output !== 'text') expect(out).to.match(/open"?: "yes"/)
    }
  })

  it('nothing that is made of a Secret, however short, in the names of fields and of items of lists', async () => {
    await sandbox.apply(credsOf({ pin: '47113' }))
    const tasks = `\n${READ_PIN}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: kept }, data: { "\${$pin}": x, text: two } }`
    const fieldsOf = async (given: string, pin: string): Promise<readonly (string | undefined)[]> => {
      const { out } = await diff(`${tasks}${web('app:1').replace(given, pin)}`)
      return [...out.matchAll(/^ {6}(\S+):/gm)].map(([, field]) => field).filter((field) => field !== 'status.text')
    }
    const data = ['data.text', "data['(sensitive)']"]
    const containers = 'spec.template.spec.containers'
    const named = `${containers}['(sensitive)']`
    expect(await fieldsOf('name: app,', 'name: "${$pin}",')).to.deep.equal([...data, named, named])
    expect(await fieldsOf('[serve]', '["${$pin}"]')).to.deep.equal([...data, `${containers}[name=app].args[0]`])
  })

  it('nothing of a Secret in the namespace of an object, and the resource by its own', async () => {
    const [home, other] = ['c4nary-home', 'c4nary-other']
    for (const name of [home, other]) await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const creds = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'places', namespace: home } }
    await sandbox.apply({ ...creds, stringData: { home, other, own: 'c4nary-own' } })
    await sandbox.widget('c4nary-own', {}, { namespace: home })
    write(
      'roles/placed/role.yaml',
      `tasks:
  - get: { apiVersion: v1, kind: Secret, name: places }
    register: places
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: far, namespace: "\${$base64decode($places.data.other)}" } }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: near } }
  - status: { text: it }
`,
    )
    const settings = `namespaces: [${home}], allowedNamespaces: [${home}, ${other}]`
    write('placed.yaml', `- { group: example.com, version: v1, kind: Widget, role: placed, ${settings} }\n`)
    const { out } = await diff(RUNNING, '--watches-file', at('placed.yaml'), '-n', home)
    await sandbox.client.delete(WIDGET, { namespace: home, name: 'c4nary-own' })
    expect(out).to.match(
      /^Widget c4nary-home\/c4nary-own .*\n {2}\+ ConfigMap \(sensitive\)\/far\n {2}\+ ConfigMap c4nary-home\/near\n {2}~ the resource itself\n/,
    )
  })

  it('what stops a role: an object of another owner', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } })
    const { code, out } = await diff(`${config('theirs', 'x')}`)
    expect(code).to.equal(1)
    expect(out).to.match(
      /^Widget default\/w \(role widget\)\n {2}! Conflict: task "theirs": .*ConfigMap default\/theirs/,
    )
  })

  it('what a resource without a namespace would have made', async () => {
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    write(
      'roles/gadget/role.yaml',
      'tasks:\n  - ensure: { apiVersion: v1, kind: Namespace, metadata: { name: made } }\n',
    )
    const settings = 'namespaces: [default], acknowledge: [Namespace]'
    write('gadgets.yaml', `- { group: example.com, version: v1, kind: Gadget, role: gadget, ${settings} }\n`)
    const { out } = await diff(RUNNING, '--watches-file', at('gadgets.yaml'))
    expect(out).to.contain('Gadget g (role gadget)\n  + Namespace made\n')
  })

  it('nothing of a status that the role does not set, where the engine has not begun one', async () => {
    await sandbox.widget('fresh', { text: 'one' })
    const { out } = await diff('\n  - set: { a: "1" }', 'widget', 'fresh')
    expect(out).to.equal('1 resource: no differences\n')
    await sandbox.remove(WIDGET, 'fresh')
  })

  it('nothing of a kind whose CRD is not installed', async () => {
    write('roles/later/role.yaml', 'tasks:\n  - set: { a: "1" }\n')
    write('later.yaml', '- { group: example.com, version: v1, kind: Later, role: later }\n')
    const { code, out } = await diff(RUNNING, '--watches-file', at('later.yaml'), '--operator-namespace', 'nowhere')
    expect({ code, out }).to.deep.equal({ code: 0, out: '0 resources: no differences\n' })
  })

  it('the resources that are meant, by any name of their kind', async () => {
    await sandbox.widget('other', { size: 1, text: 'two' }, { namespace: 'default' })
    const names = ['widget', 'Widgets', 'widget.example.com', 'widget/w', 'widgets.example.com/w']
    const counts = await Promise.all(
      names.map(async (one) => (await diff(RUNNING, ...one.split(' '))).out.split('\n').at(-2)),
    )
    expect(counts.map((line) => line?.replace(/:.*/, ''))).to.deep.equal([
      '2 resources',
      '2 resources',
      '2 resources',
      '1 resource',
      '1 resource',
    ])
    expect((await diff(RUNNING, '-n', 'elsewhere')).out).to.equal('0 resources: no differences\n')
    await sandbox.remove(WIDGET, 'other')
  })

  it('that a resource by name is not there, or has no role', async () => {
    const absent = async (...args: readonly string[]): Promise<object> => {
      const { code, out, err } = await diff(RUNNING, ...args)
      return { code, out, err: err.replace(at('watches.yaml'), 'watches.yaml') }
    }
    const absence = (resource: string, namespace: string): object => ({
      code: 1,
      out: '',
      err:
        `rolebook diff: there is no ${resource} that an entry of watches.yaml looks after: ` +
        `looked in the namespace ${namespace}, unless the kind is in none\n`,
    })
    expect(await absent('widget', 'nobody')).to.deep.equal(absence('widget/nobody', 'default'))
    expect(await absent('widget/w', '-n', 'elsewhere')).to.deep.equal(absence('widget/w', 'elsewhere'))
  })

  const WRONG = [
    {
      name: 'an unknown kind',
      args: ['gizmo'],
      err: 'no kind "gizmo" is known: those with a role are Widget.example.com',
    },
    { name: 'a kind without a role', args: ['gadget'], err: 'no kind "gadget" is known' },
    { name: 'two names', args: ['widget/w', 'v'], err: 'expected at most a kind and a name' },
    { name: 'a kubeconfig that is none', args: ['--kubeconfig', '/nowhere/config'], err: 'kubeconfig' },
  ]
  for (const { name, args, err } of WRONG) {
    it(`usage for ${name}`, async () => {
      const terminal = new FakeTerminal()
      const flags = [
        '--watches-file',
        at('watches.yaml'),
        '--roles-path',
        at('roles'),
        '--kubeconfig',
        at('kubeconfig'),
      ]
      expect(await runProgram(['diff', ...flags, ...args], terminal)).to.equal(2)
      expect(terminal.stderr).to.contain(err)
    })
  }

  it('what is wrong with the roles, and looks at nothing', async () => {
    requests.length = 0
    expect((await diff('\n  - nothing: {}')).code).to.equal(2)
    expect(requests).to.deep.equal([])
  })

  it('that roles do not come to an end', async () => {
    await sandbox.widget('a', { other: 'b' })
    await sandbox.widget('b', { other: 'a' })
    const tasks = `
  - when: "\${$exists(spec.other)}"
    get: { apiVersion: v1, kind: ConfigMap, name: "\${spec.other ?? 'none'}", optional: true }
    register: other
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { text: "\${$other.data.text ?? ''}+" } }`
    const { code, err } = await diff(tasks)
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: 'the roles change something in each pass: they do not come to an end\n',
    })
  })
})
