import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { printPasses } from '../../../src/rolebook/cli/render/print-rendering.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { besidesCheck } from '../../support/besides-check.ts'
import { credsOf, READ_CREDS } from '../../support/creds.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { crd } from '../../support/operator-sandbox.ts'
import { pinConfigMap, READ_PIN } from '../../support/pin-tasks.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ENDLESS_TASKS } from './note-project.ts'

const DEPLOYMENT = `
  - name: Application
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: "\${metadata.name}" }
      spec:
        replicas: \${spec.size}
        selector: { matchLabels: { app: "\${metadata.name}" } }
        template:
          metadata: { labels: { app: "\${metadata.name}" } }
          spec: { containers: [{ name: app, image: "app:1" }] }
    waitReady: true
    register: application`
const configMap = (name: string, data: string): string => `
  - name: ${name}
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { text: "${data}" } }`

/** Roles, by the kind of the resource that has them. */
const ROLES = {
  Plain: configMap('plain', '${$string(spec)}'),
  Waiter: `${DEPLOYMENT}${configMap('ready', '${$string($application.status.readyReplicas)} ready')}`,
  Changer: `
  - get: { apiVersion: apps/v1, kind: Deployment, name: "\${metadata.name}", optional: true }
    register: before${configMap('count', '${$string($before.status.readyReplicas ?? 0)}')}${configMap('first', 'x')}
    when: \${$not($exists($before.status.readyReplicas))}${DEPLOYMENT}`,
  Reader: `
  - get: { apiVersion: other.example.com/v1, kind: Base, name: "\${spec.base}" }
    register: base
  - wait: { for: '\${$base.status.phase = "Up"}', message: "Base \${spec.base} is not up" }${configMap('read', '${$base.status.phase}')}`,
  Patcher: `
  - patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: theirs, labels: { of: "\${metadata.name}" } } }${configMap('patched', 'x')}`,
  Hushed: `
  - sensitive: true
    get: { apiVersion: v1, kind: ConfigMap, name: hush }
    register: hush${configMap('copied', '${$hush.data.it}')}`,
  Keeper: `\n${READ_CREDS}${configMap('kept', '${$base64decode($creds.data.it)}')}`,
  Namer: `\n${READ_CREDS}${configMap('"x-${$base64decode($creds.data.password)}"', '${$base64decode($creds.data.password)}')}${configMap('"${metadata.name}-conf"', 'see ${metadata.name}-conf')}`,
  Refused: `${configMap('kept', 'x')}
  - ensure: { apiVersion: v1, kind: Service, metadata: { name: odd }, spec: { type: "\${spec.type}", ports: [{ port: 80 }] } }`,
  Short: `\n${READ_PIN}${pinConfigMap('{ name: "${$pin}", labels: { "${$pin}": x, open: "yes" } }')}  - sensitive: true
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: quiet }, data: { text: abc } }
  - ensure:
      apiVersion: v1
      kind: Service
      metadata: { name: short }
      spec: { type: LoadBalancer, loadBalancerSourceRanges: ["\${$pin & '.0.0.0/8'}"], ports: [{ port: "\${$number($pin)}", name: web }], selector: { a: b } }`,
  Speaker: `
  - status: "\${spec}"`,
  Wide: `
  - ensure: { apiVersion: v1, kind: Namespace, metadata: { name: "of-\${metadata.name}" } }`,
  Cleaner: `${configMap('kept', 'x')}
finalize:
  - waitReady: true
    ensure:
      apiVersion: batch/v1
      kind: Job
      metadata: { name: cleanup }
      spec: { template: { spec: { restartPolicy: Never, containers: [{ name: job, image: "job:1" }] } } }
  - wait: { for: "\${spec.go}", message: the bucket is not empty }`,
  Failing: `
  - fail: { message: "this never works" }`,
  Stuck: `${configMap('kept', 'x')}
finalize:
  - fail: { message: "this bucket never empties" }`,
  Endless: ENDLESS_TASKS,
} as const

const SHORT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: (sensitive)
  namespace: default
  labels:
    (sensitive): x
    open: "yes"
data:
  pin: (sensitive)
  start: (sensitive)
  open: "yes"
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: quiet
  namespace: default
data:
  text: (sensitive)
---
apiVersion: v1
kind: Service
metadata:
  name: short
  namespace: default
spec:
  type: LoadBalancer
  loadBalancerSourceRanges:
    - (sensitive)
  ports:
    - port: (sensitive)
      name: web
  selector:
    a: b
---
`

function crdOf(group: string, kind: string, scope = 'Namespaced'): string {
  return printYaml([crd({ group, version: 'v1', kind }, { scope })])
}

const resource = (kind: keyof typeof ROLES, spec: string, metadata = ''): string =>
  `apiVersion: example.com/v1\nkind: ${kind}\nmetadata: { name: web${metadata} }\nspec: ${spec}\n`
const creds = (data: Readonly<Record<string, string>>): string => printYaml([credsOf(data)])
const base = (phase: string): string =>
  `${crdOf('other.example.com', 'Base')}---
apiVersion: other.example.com/v1
kind: Base
metadata: { name: db }
status: { phase: ${phase} }
`

long.describe('rolebook render', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  const { at, write } = folder

  const settings: Readonly<Record<string, string>> = {
    Speaker: ', manageStatus: false',
    Wide: ', acknowledge: [Namespace]',
  }
  const watches = Object.keys(ROLES).map(
    (kind) => `- { group: example.com, version: v1, kind: ${kind}, role: ${kind}${settings[kind] ?? ''} }\n`,
  )
  /** Of a project with the roles that the files need: to read all of them takes most of the time. */
  const flagsFor = (args: readonly string[]): readonly string[] => {
    const texts = args.filter((arg) => arg.endsWith('.yaml')).map((path) => readFileSync(path, 'utf8'))
    const isNeeded = (kind: string): boolean => texts.some((text) => text.includes(`kind: ${kind}\n`))
    const some = watches.filter((_entry, index) => isNeeded(Object.keys(ROLES)[index] ?? ''))
    const entries = some.length > 0 ? some : watches
    return ['--watches-file', write('watches.yaml', entries.join('')), '--roles-path', at('roles')]
  }
  for (const [kind, tasks] of Object.entries(ROLES)) {
    write(`roles/${kind}/role.yaml`, `tasks:${tasks}\n`)
    write(`roles/${kind}/crd.yaml`, crdOf('example.com', kind, kind === 'Wide' ? 'Cluster' : 'Namespaced'))
  }
  const plain = write('plain.yaml', resource('Plain', '{ size: 1, ports: [{ port: 80 }] }'))
  const waiter = write('waiter.yaml', resource('Waiter', '{ size: 2 }'))
  const reader = write('reader.yaml', resource('Reader', '{ base: db }'))
  const up = write('up.yaml', base('Up'))

  async function render(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const terminal = new FakeTerminal()
    const code = await runProgram(['render', ...args, ...flagsFor(args)], terminal)
    return { code, out: terminal.stdout, err: besidesCheck(terminal.stderr) }
  }

  const cases = [
    {
      name: 'goes on in the next pass with what waited for an object to be ready',
      args: [waiter],
      err: 'pass 1: makes Deployment default/web\npass 2: makes ConfigMap default/ready\n',
      out: /^apiVersion: apps\/v1\nkind: Deployment[\s\S]*\n---\napiVersion: v1\nkind: ConfigMap[\s\S]*text: 2 ready\n---\n[\s\S]*kind: Waiter[\s\S]*reason: Ready\n/,
    },
    {
      name: 'ends after --passes, and says what is waited for',
      args: [waiter, '--passes', '1'],
      err: 'pass 1: makes Deployment default/web\nWaiter default/web: Waiting: task "Application": Deployment default/web is not ready: its controller has not seen it yet\n',
      out: /kind: Waiter[\s\S]*reason: Waiting/,
    },
    {
      name: 'says what a pass changes and removes',
      args: [write('changer.yaml', resource('Changer', '{ size: 1 }'))],
      err:
        'pass 1: makes ConfigMap default/count, ConfigMap default/first, Deployment default/web\n' +
        'pass 2: changes ConfigMap default/count; removes ConfigMap default/first\n',
      out: /name: count\n {2}namespace: default\ndata:\n {2}text: "1"\n---\napiVersion: apps/,
    },
    {
      name: 'shows what finalize tasks make, and what holds the resource up',
      args: [write('held.yaml', resource('Cleaner', '{}')), '--finalize'],
      err:
        'pass 1: makes ConfigMap default/kept\npass 3: makes Job default/cleanup\n' +
        'Cleaner default/web: Deleting: task "wait (task 2 of finalize)": the bucket is not empty\n',
      out: /^apiVersion: batch\/v1\nkind: Job[\s\S]*\n---\n[\s\S]*kind: Cleaner[\s\S]*reason: Deleting\n/,
    },
    {
      name: 'shows what finalize tasks make, also of a resource that is gone then',
      args: [write('cleaner.yaml', resource('Cleaner', '{ go: true }')), '--finalize'],
      err: 'pass 1: makes ConfigMap default/kept\npass 3: makes Job default/cleanup\npass 4: removes Job default/cleanup\n',
      out: /^apiVersion: batch\/v1\nkind: Job[\s\S]*image: job:1\n$/,
    },
    {
      name: 'reads objects that are given, with their status, and the CRDs beside them',
      args: [reader, '--given', up],
      err: 'pass 1: makes ConfigMap default/read\n',
      out: /text: Up\n/,
    },
    {
      name: 'says what a role waits for in a given object',
      args: [reader, '--given', write('down.yaml', base('Down'))],
      err: 'Reader default/web: Waiting: task "wait (task 2)": Base db is not up\n',
      out: /^apiVersion: example.com\/v1\nkind: Reader/,
    },
    {
      name: 'takes given objects from several files, and CRDs among the resources',
      args: [reader, write('crd.yaml', crdOf('third.example.com', 'Third')), '--given', up, '--given', plain],
      err: 'pass 1: makes ConfigMap default/plain, ConfigMap default/read\n',
      out: /text: Up\n/,
    },
    {
      name: 'prints a list as JSON',
      args: [plain, '--output', 'json'],
      err: 'pass 1: makes ConfigMap default/plain\n',
      out: /^\{\n {2}"apiVersion": "v1",\n {2}"kind": "List",\n {2}"items": \[\n {4}\{\n {6}"apiVersion": "v1",\n {6}"kind": "ConfigMap"/,
    },
    {
      name: 'sets values in the spec of the resources',
      args: [plain, '--set', 'size=3', '--set', 'ports[0].port=81', '--set', 'labels["a.b"].c=x y', '--set', 'empty='],
      err: 'pass 1: makes ConfigMap default/plain\n',
      out: /text: '\{"size":3,"ports":\[\{"port":81\}\],"labels":\{"a\.b":\{"c":"x y"\}\},"empty":""\}'\n/,
    },
    {
      name: 'sets items at the end of a list, and removes what is set to null',
      args: [
        plain,
        '--set',
        'ports[1]={port: 443}',
        '--set',
        'ports[0]=null',
        '--set',
        'size=null',
        '--set',
        "a['b'][0]=1",
      ],
      err: 'pass 1: makes ConfigMap default/plain\n',
      out: /text: '\{"ports":\[\{"port":443\}\],"a":\{"b":\[1\]\}\}'\n/,
    },
    {
      name: 'prints the fields that a role patches, too',
      args: [
        write('patcher.yaml', resource('Patcher', '{}')),
        '--given',
        write('theirs.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: theirs }\n'),
      ],
      err: 'pass 1: makes ConfigMap default/patched, ConfigMap default/theirs\n',
      out: /kind: ConfigMap\nmetadata:\n {2}name: theirs\n {2}namespace: default\n {2}labels:\n {4}of: web\n---/,
    },
    {
      name: 'prints with --marks which object a role patches',
      args: [
        write('patcher.yaml', resource('Patcher', '{}')),
        '--given',
        write('theirs.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: theirs }\n'),
        '--marks',
      ],
      err: 'pass 1: makes ConfigMap default/patched, ConfigMap default/theirs\n',
      out: /\n {2}name: theirs\n[^-]*\n {4}rolebook.dev\/patched: "true"\n[\s\S]*\n {2}uid: /,
    },
    {
      name: 'prints nothing that a sensitive task has read, in objects that are not sensitive',
      args: [
        write('hushed.yaml', resource('Hushed', '{}')),
        '--given',
        write('hush.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hush }\ndata: { it: c4nary-9xQ }\n'),
      ],
      err: 'pass 1: makes ConfigMap default/copied\n',
      out: /name: copied\n[\s\S]*text: \(sensitive\)\n---/,
      never: /c4nary/,
    },
    {
      name: 'prints objects although a Secret holds a manifest, and with it the names of all that objects have',
      args: [
        write('keeper.yaml', resource('Keeper', '{}')),
        '--given',
        write('manifest.yaml', creds({ it: 'apiVersion: v1\nkind: X\nmetadata: { namespace: x, annotations: {} }' })),
      ],
      err: 'pass 1: makes ConfigMap default/kept\n',
      out: /^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: kept\n {2}namespace: default\ndata:\n {2}text: \(sensitive\)\n---/,
      never: /kind: X/,
    },
    {
      name: 'prints no secret that the name of an object is made of, neither there nor elsewhere',
      args: [
        write('namer.yaml', resource('Namer', '{}')),
        '--given',
        write('hunter.yaml', creds({ password: 'hunter2-canary-value', host: 'web-conf' })),
      ],
      err: 'pass 1: makes ConfigMap default/(sensitive), ConfigMap default/web-conf\n',
      out: /name: \(sensitive\)\n[\s\S]*text: \(sensitive\)\n[\s\S]*name: web-conf\n[\s\S]*text: see web-conf\n/,
      never: /hunter2|canary/,
    },
    {
      name: 'prints nothing that is made of a Secret, however short: what check follows is not searched for',
      args: [
        write('short.yaml', resource('Short', '{}')),
        '--given',
        write('pin.yaml', creds({ pin: '42', long: 'correct-horse' })),
      ],
      err: 'pass 1: makes ConfigMap default/(sensitive), ConfigMap default/quiet, Service default/short\n',
      out: SHORT,
      never: /42|corre/,
    },
    {
      name: 'prints no status where there is none',
      args: [write('silent.yaml', resource('Speaker', '{}'))],
      err: '',
      out: /^$/,
    },
    {
      name: 'prints a status without conditions',
      args: [write('speaker.yaml', resource('Speaker', '{ phase: Up }'))],
      err: '',
      out: /^apiVersion[\s\S]*\nstatus:\n {2}phase: Up\n$/,
    },
    {
      name: 'prints conditions that are none as they are',
      args: [write('odd.yaml', `${resource('Speaker', '{}')}status: { conditions: [odd] }\n`)],
      err: '',
      out: /conditions:\n {4}- odd\n/,
    },
    {
      name: 'prints the status of a cluster-scoped resource',
      args: [write('wide.yaml', resource('Wide', '{}'))],
      err: 'pass 1: makes Namespace of-web\n',
      out: /kind: Wide\nmetadata:\n {2}name: web\nstatus:/,
    },
    {
      name: 'makes the namespace of an object',
      args: [write('elsewhere.yaml', resource('Plain', '{}', ', namespace: elsewhere'))],
      err: 'pass 1: makes ConfigMap elsewhere/plain\n',
      out: /namespace: elsewhere\n/,
    },
    {
      name: 'fails when a role does',
      args: [write('failing.yaml', resource('Failing', '{}'))],
      code: 1,
      err: 'Failing default/web: Failed: task "fail (task 1)": this never works (roles/Failing/role.yaml:2)\n',
      out: /reason: Failed/,
    },
    {
      name: 'prints nothing that the server refuses',
      args: [write('refuser.yaml', resource('Refused', '{ type: Odd }'))],
      code: 1,
      err: /^pass 1: makes ConfigMap default\/kept\nRefused default\/web: Invalid: task "ensure \(task 2\)": .*"Odd"/,
      out: /^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: kept\n[^-]*---\napiVersion: example.com\/v1\nkind: Refused\n/,
    },
    {
      name: 'fails with a finalize task',
      args: [write('stuck.yaml', resource('Stuck', '{}')), '--finalize'],
      code: 1,
      err:
        'pass 1: makes ConfigMap default/kept\n' +
        'Stuck default/web: Deleting: task "fail (task 1 of finalize)": this bucket never empties (roles/Stuck/role.yaml:5)\n',
    },
    {
      name: 'fails when a role comes to no end',
      args: [write('endless.yaml', resource('Endless', '{}'))],
      code: 1,
      err: /^pass 1: makes Job default\/job-0\npass 2: makes Job default\/job-1\n[\s\S]*pass 20: makes [\s\S]*objects still change after 20 passes\n$/,
      out: /name: job-9/,
    },
    {
      name: 'refuses a number of passes that is none',
      args: [plain, '--passes', '0'],
      code: 2,
      err: 'rolebook render: --passes: must be a number from 1 to 999\n',
    },
    {
      name: 'refuses objects that the server does',
      args: [plain, '--given', write('refused.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: { name: A_B }\n')],
      code: 2,
      err: /^rolebook render: cannot give Pod A_B: Pod "A_B" is invalid/,
    },
    {
      name: 'refuses unknown kinds',
      args: [
        plain,
        '--given',
        write('unknown.yaml', 'apiVersion: no.example.com/v1\nkind: None\nmetadata: { name: a }\n'),
      ],
      code: 2,
      err: /^rolebook render: cannot give None a: .*no\.example\.com/,
    },
    {
      name: 'refuses to set values where no object has a role',
      args: [write('none.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'), '--set', 'a=1'],
      code: 2,
      err: 'rolebook render: --set: no given object has a role\n',
    },
    ...[
      ['size', '--set size: must be a path in the spec and a value, such as size=5'],
      ['.size=1', '--set .size=1: must be a path in the spec and a value, such as size=5'],
      ['a[0]b=1', '--set a[0]b=1: must be a path in the spec and a value, such as size=5'],
      ['=1', '--set =1: must be a path in the spec and a value, such as size=5'],
      ['a=[', /^rolebook render: --set a=\[: /],
      ['size.a=1', '--set size.a: the path leads through a value that is not a map'],
      ['size[0]=1', '--set size[0]: the path leads through a value that is not a list'],
      ['ports[2]=1', '--set ports[2]: the list has only 1 items'],
    ].map(([text, message]) => ({
      name: `refuses --set ${text}`,
      args: [plain, '--set', text as string],
      code: 2,
      err: typeof message === 'string' ? `rolebook render: ${message}\n` : (message as RegExp),
    })),
  ] satisfies {
    name: string
    args: string[]
    code?: number
    err: string | RegExp
    out?: string | RegExp
    never?: RegExp
  }[]

  for (const { name, args, code = 0, err, ...rest } of cases as readonly Case[]) {
    it(name, async () => {
      const result = await render(...args)
      if (typeof err === 'string') expect(result.err).to.equal(err)
      else expect(result.err).to.match(err)
      if (typeof rest.out === 'string') expect(result.out.startsWith(rest.out), result.out).to.equal(true)
      else if (rest.out) expect(result.out).to.match(rest.out)
      if (rest.never) expect(result.out + result.err).to.not.match(rest.never)
      expect(result.code).to.equal(code)
    })
  }

  it('names only some of many objects', () => {
    const changes = Array.from({ length: 30 }, (_, index) => {
      return { pass: 1, action: 'makes', object: `Job default/${index + 10}` } as const
    })
    expect(printPasses(changes)).to.match(/^pass 1: makes Job default\/10, .*, Job default\/29 and 10 more\n$/)
  })

  it('prints the same every time, names of pods and marks of the engine included', async () => {
    const all = [waiter, plain, reader, '--given', up, '--marks']
    const first = await render(...all)
    expect(await render(...all)).to.deep.equal(first)
    expect(first.out).to.include('rolebook.dev/applied:')
    expect(first.out).to.not.include('lastTransitionTime')
  })
})

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly code?: number
  readonly err: string | RegExp
  /** How it begins, or a part of it. */
  readonly out?: string | RegExp
  /** What is nowhere in it, nor in `err`. */
  readonly never?: RegExp
}
