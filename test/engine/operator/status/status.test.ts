import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const CONDITION = '{type: Checked, status: "True", reason: AsExpected, message: fine}'

describe('the status of a resource', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const statusOf = async (gvk = WIDGET): Promise<JsonObject> =>
    ((await sandbox.get(gvk, 'w'))?.status ?? {}) as JsonObject
  const watching = ({ group, version, kind }: Gvk, more = ''): string =>
    `- {group: ${group}, version: ${version}, kind: ${kind}, role: widget${more}}\n`

  it('keeps what others write, loses what a complete run leaves out', async () => {
    const role = `
tasks:
  - { name: Always, status: { always: 1 } }
  - { name: Sometimes, when: "\${spec.more = true}", status: { sometimes: { a: 1, b: 2 }, list: [1] } }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { more: true })
    await sandbox.ready('Ready')
    await sandbox.edit(WIDGET, 'w', { status: { theirs: 'x', sometimes: { c: 3 } } }, 'status')
    await sandbox.widget('w', { more: false })
    await sandbox.ready('Ready', { generation: 2 })
    const { conditions, ...rest } = await statusOf()
    expect(rest).to.deep.equal({ always: 1, theirs: 'x', sometimes: { c: 3 }, observedGeneration: 2 })
    expect(conditions).to.have.lengthOf(1)
  })

  it('has the conditions of the role beside its own and those of others, and keeps their times', async () => {
    const role = `tasks: [{name: Check, status: {conditions: [${CONDITION}], size: "\${spec.size}"}}]\n`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    const before = await statusOf()
    const theirs = {
      type: 'Theirs',
      status: 'True',
      reason: 'X',
      message: '',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    }
    const conditions = [...(before.conditions as readonly JsonObject[]), theirs]
    await sandbox.edit(WIDGET, 'w', { status: { conditions } }, 'status')
    await sandbox.widget('w', { size: 2 })
    await sandbox.ready('Ready', { generation: 2 })
    const after = (await statusOf()).conditions as readonly JsonObject[]
    expect(after.map(({ type }) => type)).to.deep.equal(['Ready', 'Checked', 'Theirs'])
    expect(after[2]).to.deep.equal(theirs)
    const time = (list: unknown, type: string): unknown =>
      (list as readonly JsonObject[]).find((one) => one.type === type)?.lastTransitionTime
    for (const type of ['Ready', 'Checked']) expect(time(after, type)).to.equal(time(before.conditions, type))
  })

  it('drops conditions and generations of the engine that an expression brings along', async () => {
    const role = `
tasks:
  - { name: Read, get: { apiVersion: example.com/v1, kind: Widget, name: source }, register: source }
  - { name: Inline, status: "\${$source.status}" }
`
    sandbox.run(await projectOf({ widget: role }))
    const stopped = { annotations: { 'rolebook.dev/paused': 'true' } }
    await sandbox.widget('source', {}, stopped)
    await sandbox.ready('Paused', { name: 'source' })
    await sandbox.edit(WIDGET, 'source', { status: { phase: 'x', observedGeneration: 99 } }, 'status')
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const { conditions, ...rest } = await statusOf()
    expect(rest).to.deep.equal({ phase: 'x', observedGeneration: 1 })
    expect((conditions as readonly JsonObject[]).map(({ type, reason }) => [type, reason])).to.deep.equal([
      ['Ready', 'Ready'],
    ])
  })

  it('belongs to the tasks alone when the entry says so', async () => {
    const role = 'tasks: [{name: Show, status: {phase: x}}]\n'
    sandbox.run(await projectOf({ widget: role }, watching(WIDGET, ', manageStatus: false')))
    await sandbox.widget('w')
    await sandbox.until(statusOf, ({ phase }) => phase === 'x')
    expect(await statusOf()).to.deep.equal({ phase: 'x' })
  })

  const schemas = [
    {
      name: 'no room for conditions',
      kind: 'Narrow',
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
    { name: 'no status subresource', kind: 'Plain', status: null },
  ]
  for (const { name, kind, status } of schemas) {
    it(`is not written again and again to a kind with ${name}, which is said once`, async () => {
      const gvk = { group: 'odd.example.com', version: 'v1', kind }
      await sandbox.cluster.install(crd(gvk, { status }))
      const role = `
tasks:
  - { name: Part, ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: part } } }
  - { name: Show, status: { phase: x } }
`
      const project = await projectOf({ widget: role }, watching(gvk))
      sandbox.run(project)
      const resource = { apiVersion: 'odd.example.com/v1', kind, metadata: { name: 'w' }, spec: {} }
      await sandbox.apply(resource)
      await sandbox.until(
        () => sandbox.get(CONFIG_MAP, 'part'),
        (part) => part !== undefined,
      )
      const expected = status ? [`patch ${kind}/status default/w`] : []
      expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/part', ...expected])
      await sandbox.edit(CONFIG_MAP, 'part', { data: { theirs: 'x' } })
      expect(await sandbox.settled()).to.deep.equal([])
      const said = sandbox.warnings.filter((warning) => warning.includes(kind))
      expect(said).to.have.lengthOf(1)
      await sandbox.restart(project)
      expect(await sandbox.settled()).to.deep.equal([])
    })
  }

  it('says what the schema refuses', async () => {
    const gvk = { group: 'odd.example.com', version: 'v1', kind: 'Strict' }
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    await sandbox.cluster.install(crd(gvk, { status: { ...open, properties: { phase: { type: 'integer' } } } }))
    sandbox.run(await projectOf({ widget: 'tasks: [{name: Show, status: {phase: x}}]\n' }, watching(gvk)))
    await sandbox.apply({ apiVersion: 'odd.example.com/v1', kind: 'Strict', metadata: { name: 'w' }, spec: {} })
    const { message } = await sandbox.ready('Invalid', { gvk })
    expect(message).to.contain('status.phase')
  })

  /** The status fields after a failure of the second task. */
  async function fieldsAfterFailure(order: string): Promise<readonly string[]> {
    const role = `
order: ${order}
tasks:
  - {set: {early: "\${spec.size}"}}
  - name: Broken
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "Not A Name" } }
    register: broken
  - {get: {apiVersion: v1, kind: ConfigMap, name: other, optional: true}, register: unreached}
  - {set: {derived: "\${$unreached.metadata.name}"}}
  - {status: {url: "https://\${metadata.name}", size: "\${$early}"}}
  - {status: {fromBroken: "\${$exists($broken)}"}}
  - {status: {fromUnreached: "\${$exists($unreached)}"}}
  - {status: {fromDerived: "\${$exists($derived)}"}}
  - {status: {conditional: true}, when: "\${$not($exists($broken))}"}
  - {status: {broken: "\${$error('x')}"}}
  - {status: {last: true}}
  - {block: {tasks: [{status: {inBlock: true}}]}}
  - {status: {behindBlock: true}}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { size: 3 })
    const { message } = await sandbox.ready('Invalid')
    expect(message).to.match(/^task "Broken": /)
    const status = (await sandbox.get(WIDGET, 'w'))?.status as JsonObject
    expect(status).to.include({ url: 'https://w', size: 3, last: true })
    return Object.keys(status).sort()
  }
  const ALWAYS = ['conditions', 'last', 'observedGeneration', 'size', 'url']

  it('says what later tasks report after a failure, unless they read what was not reached', async () => {
    const more = ['behindBlock', 'fromDerived', 'fromUnreached', 'inBlock']
    expect(await fieldsAfterFailure('data')).to.deep.equal([...ALWAYS, ...more].sort())
  })

  it('says less after a failure in a sequential role, where less is reached', async () => {
    expect(await fieldsAfterFailure('sequential')).to.deep.equal(ALWAYS)
  })

  it('says nothing of what stands behind a check that failed', async () => {
    const role = `
tasks:
  - {assert: {that: ["\${spec.go}"], message: it is not to go}}
  - {status: {phase: Running}}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Failed')
    expect((await sandbox.get(WIDGET, 'w'))?.status).to.not.have.property('phase')
  })

  it('says nothing of what stands behind a task that waits', async () => {
    const role = `
tasks:
  - {wait: {for: "\${spec.go}", message: it is not to go yet}}
  - {status: {phase: Running}}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Waiting')
    expect((await sandbox.get(WIDGET, 'w'))?.status).to.not.have.property('phase')
  })

  it('names the two tasks that set one field differently', async () => {
    const role = 'tasks: [{name: One, status: {phase: one}}, {name: Two, status: {phase: two}}]\n'
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain('task "Two"').and.to.contain('status.phase')
  })
})
