import { expect } from 'chai'
import type { RunTrace, TracedTask } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import { credsOf } from '../../../support/creds.ts'
import {
  CONFIG_MAP,
  DEPLOYMENT,
  OperatorSandbox,
  projectOf,
  SECRET,
  WIDGET,
} from '../../../support/operator-sandbox.ts'
import { formsIn, RecordedLog, toldBy } from '../../../support/secret-sinks.ts'

const CONFIG = `
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { text: "\${spec.text}" } }`
const SHORT = `${CONFIG}
  - name: Extra
    when: "\${spec.extra}"
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: extra } }
  - name: Each
    loop: "\${spec.items}"
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${$item}" } }
  - name: Group
    block:
      tasks:
        - name: Look
          get: { apiVersion: v1, kind: ConfigMap, name: theirs, optional: true }
        - name: All
          list: { apiVersion: v1, kind: ConfigMap, labels: { of: nobody } }
        - name: Hold
          wait: { for: "\${spec.go}", message: not yet }`

/** A task in one line: `  Each[1] changed: created ConfigMap default/b`. */
function lineOf({ name, depth = 0, item, outcome, why = [], objects = [] }: TracedTask): string {
  const parts = objects.map(({ object, did, count, fields = [], more, lost, by }) => {
    const changes = fields.map(({ field, from, to, expression }) => ` ${field} ${from} → ${to} by ${expression}`)
    const rest = [more && ` and ${more} more`, lost && ` lost ${lost} to ${by}`].filter(Boolean)
    return `${did}${count === undefined ? '' : ` ${count}`} ${object}${[...changes, ...rest].join('')}`
  })
  const place = item === undefined ? '' : `[${item}]`
  const details = [...why, ...parts].join('; ')
  return `${'  '.repeat(depth)}${name}${place} ${outcome}${details === '' ? '' : `: ${details}`}`
}

describe('the trace of a run', () => {
  let sandbox: OperatorSandbox
  let log: RecordedLog
  beforeEach(async () => {
    log = new RecordedLog()
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  async function start(tasks: string): Promise<void> {
    sandbox.run(await projectOf({ widget: `tasks:${tasks}\n` }), { logger: log.logger })
  }

  /** The last run that did something, once nothing more happens. */
  async function last(): Promise<RunTrace> {
    await sandbox.settled()
    const request = { group: WIDGET.group, kind: WIDGET.kind, namespace: 'default', name: 'w' }
    return sandbox.operator?.history.of(request)?.runs[0] as RunTrace
  }

  it('shows the outcome of each task, why, and what it did', async () => {
    await sandbox.widget('w', { text: 'one', items: ['a', 'b'] })
    await start(SHORT)
    await sandbox.ready('Waiting')
    const first = sandbox.runs[0]?.trace as RunTrace
    expect(first.tasks.map(lineOf)).to.deep.equal([
      'Settings changed: created ConfigMap default/w',
      'Extra skipped: when: ${spec.extra} is false',
      'Each changed',
      '  Each[0] changed: created ConfigMap default/a',
      '  Each[1] changed: created ConfigMap default/b',
      'Group waiting',
      '  Look unchanged: missing ConfigMap default/theirs',
      '  All unchanged: listed 0 ConfigMap',
      '  Hold waiting: wait.for: ${spec.go} is false; not yet',
    ])
    expect(first).to.deep.include({
      outcome: 'waiting',
      role: 'widget',
      generation: 1,
      ready: 'Waiting: task "Hold": not yet',
      woken: [{ kind: 'started' }],
      status: ['observedGeneration', 'conditions'],
      requests: { apply: 3, patch: 1 },
    })
  })

  it('shows which fields an edit changed, and which expression gave the new value', async () => {
    await start(CONFIG)
    await sandbox.widget('w', { text: 'one' })
    await sandbox.ready('Ready')
    expect((await last()).woken[0]?.kind).to.be.oneOf(['created', 'started', 'changed'])
    const { metadata } = await sandbox.edit(WIDGET, 'w', { spec: { text: 'two' } })
    await sandbox.ready('Ready', { generation: 2 })
    const trace = await last()
    expect(trace.woken).to.deep.equal([
      { kind: 'edited', resourceVersion: metadata.resourceVersion, fields: ['spec.text'] },
    ])
    expect(trace.tasks.map(lineOf)).to.deep.equal([
      'Settings changed: changed ConfigMap default/w data.text "one" → "two" by spec.text',
    ])
  })

  it('shows what another client has changed, and which client', async () => {
    await start(CONFIG)
    await sandbox.widget('w', { text: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    const { metadata } = await sandbox.edit(CONFIG_MAP, 'w', { data: { text: 'mine' } })
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'w'),
      (seen) => JSON.stringify(seen?.data) === '{"text":"one"}',
    )
    const trace = await last()
    const { resourceVersion } = metadata
    expect(trace.woken).to.deep.equal([
      { kind: 'changed', object: 'ConfigMap default/w', how: 'updated', resourceVersion },
    ])
    expect(trace.tasks.map(lineOf)).to.deep.equal([
      'Settings changed: corrected ConfigMap default/w data.text "mine" → "one" by spec.text lost data.text to person',
    ])
  })

  it('shows what failed, what a patch changed, and what was removed', async () => {
    const patch = `
  - name: Mark
    patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: theirs, labels: { of: "\${spec.text}" } } }`
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } })
    await start(
      `${patch}${CONFIG}\n    when: "\${spec.text = 'one'}"\n  - name: Check\n    assert: { that: ["\${spec.text != 'bad'}"], message: it is bad }`,
    )
    await sandbox.widget('w', { text: 'one' })
    await sandbox.ready('Ready')
    expect(lineOf(sandbox.runs[0]?.trace?.tasks[0] as TracedTask)).to.equal(
      'Mark changed: changed ConfigMap default/theirs metadata.labels undefined → {"of":"one"} by spec.text',
    )
    await sandbox.widget('w', { text: 'two' })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    const removals = sandbox.runs.flatMap(({ trace }) => trace?.removed ?? [])
    expect(removals).to.deep.equal(['ConfigMap default/w'])
    await sandbox.widget('w', { text: 'bad' })
    await sandbox.ready('Failed', { generation: 3 })
    expect((await last()).tasks.map(lineOf).at(-1)).to.equal(
      "Check failed: assert.that[0]: ${spec.text != 'bad'} is false; Failed: it is bad (roles/widget/role.yaml:7)",
    )
  })

  it('is cut where a run does very much', async () => {
    await sandbox.widget('w', { items: Array.from({ length: 130 }, (_, index) => `c${index}`) })
    await start(`
  - name: Look
    loop: "\${spec.items}"
    get: { apiVersion: v1, kind: ConfigMap, name: "\${$item}", optional: true }
  - name: Long
    fail: { message: "\${$pad('', 4000, 'x')}" }`)
    await sandbox.ready('Failed')
    const { tasks, more, ready = '' } = await last()
    expect([tasks.length, more, ready.length]).to.deep.equal([100, 32, 300])
  })

  it('shows a pause, a timer, and the deletion of the resource', async () => {
    await start(`${CONFIG}\n  - name: Wide\n    ensure: { apiVersion: v1, kind: Namespace, metadata: { name: wide } }`)
    await sandbox.widget('w', {}, { annotations: { 'rolebook.dev/paused': 'true' } })
    await sandbox.ready('Paused')
    expect(await last()).to.deep.include({ outcome: 'paused', tasks: [] })
  })

  it('of a reload says so', async () => {
    await start(CONFIG)
    await sandbox.widget('w', { text: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    sandbox.operator?.replaceProject(await projectOf({ widget: `tasks:${CONFIG.replace('spec.text', "'x'")}\n` }))
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'w'),
      (seen) => JSON.stringify(seen?.data) === '{"text":"x"}',
    )
    const woken = sandbox.runs.map(({ trace }) => trace?.woken.map(({ kind }) => kind).join())
    expect(woken).to.include('reloaded')
  })
})

const FORMER = 'f0rmer/Passw0rd-1aB'
const PRESENT = 'pr3sent/Passw0rd-2cD'
const READ = `
  - get: { apiVersion: v1, kind: Secret, name: creds }
    register: creds`
const WEB = (value: string): string => `
  - name: Web
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: app, image: "app:\${spec.v}", env: [{ name: PASSWORD, value: "${value}" }] }] }`

describe('no trace holds the value of a Secret, neither the present nor the former one,', () => {
  const cases = [
    { name: 'in the field of a Deployment', tasks: `${READ}${WEB('${$base64decode($creds.data.password)}')}` },
    { name: 'in a text around it', tasks: `${READ}${WEB('postgres://${$base64decode($creds.data.password)}@db')}` },
    {
      name: 'in a Secret that is made of it',
      tasks: `${READ}
  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: copy }, stringData: { it: "\${$base64decode($creds.data.password)}" } }`,
    },
    {
      name: 'in what a sensitive task makes of a ConfigMap',
      tasks: `
  - get: { apiVersion: v1, kind: ConfigMap, name: laundered }
    register: laundered
  - sensitive: true
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: copy }, data: { it: "\${$laundered.data.it}" } }`,
    },
    {
      name: 'in what was written before the Secret was read',
      tasks: `
  - get: { apiVersion: v1, kind: ConfigMap, name: laundered }
    register: laundered
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: copy }, data: { it: "\${$laundered.data.it}" } }${READ}`,
    },
  ]
  for (const { name, tasks } of cases) {
    it(name, async () => {
      const log = new RecordedLog()
      const sandbox = await OperatorSandbox.start({ workloads: false })
      const put = async (password: string): Promise<void> => {
        await sandbox.apply({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'laundered' },
          data: { it: password },
        })
        await sandbox.apply(credsOf({ password }))
      }
      try {
        await put(FORMER)
        const project = await projectOf({ widget: `tasks:${tasks}\n` })
        sandbox.run(project, { logger: log.logger })
        await sandbox.widget('w', { v: '1' })
        await sandbox.ready(tasks.includes('Deployment') ? 'NotReady' : 'Ready')
        // A new process knows nothing of what was secret before.
        await sandbox.settled()
        const before = await toldBy(sandbox, log)
        await sandbox.halt()
        await put(PRESENT)
        sandbox.runs.length = 0
        sandbox.run(project, { logger: log.logger })
        await sandbox.until(
          async () => sandbox.runs,
          (runs) => runs.some(({ changed }) => changed),
        )
        await sandbox.settled()
        const output = before + (await toldBy(sandbox, log))
        expect([...formsIn(output, FORMER), ...formsIn(output, PRESENT)]).to.deep.equal([])
        expect(output).to.contain('(sensitive)')
      } finally {
        await sandbox.stop()
      }
    })
  }

  it('although it is too short to be searched for', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      const pin = (password: string) => sandbox.apply(credsOf({ password }))
      await pin('8642')
      sandbox.run(await projectOf({ widget: `tasks:${READ}${WEB('${$base64decode($creds.data.password)}')}\n` }))
      await sandbox.widget('w', { v: '1' })
      await sandbox.ready('NotReady')
      await pin('9753')
      const field = (spec: string): boolean => spec.includes('9753')
      await sandbox.until(async () => JSON.stringify((await sandbox.get(DEPLOYMENT, 'web'))?.spec), field)
      await sandbox.settled()
      const runs = JSON.stringify(sandbox.runs)
      expect(runs).to.match(/env\[name=PASSWORD\]\.value.{0,200}\(sensitive\)/)
      expect(runs).to.not.match(/8642|9753/)
      expect(await sandbox.get(SECRET, 'creds')).to.be.an('object')
    } finally {
      await sandbox.stop()
    }
  })
})
