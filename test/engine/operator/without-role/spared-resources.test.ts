import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { OperatorOptions } from '../../../../src/engine/operator/operator.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

/** The patch takes a finalizer. */
const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" } }
  - patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: foreign }, data: { "\${metadata.name}": seen } }
`
const ENTRY = '- {group: example.com, version: v1, kind: Widget, role: widget'
const WIDE = `${ENTRY}}\n`
const LEDGER = 'rolebook-ledger'

/** An entry for the Widgets of one tier. */
const tier = (value: string): string => `${ENTRY}, selector: {matchLabels: {tier: ${value}}}}\n`

const refusal = (...names: readonly string[]): string => {
  const resources = names.map((name) => `Widget default/${name}`).join(', ')
  return `the new selectors would tear down ${names.length} existing resources (${resources}); --allow-teardown permits that`
}

long.describe('what a start with other selectors would tear down', () => {
  let sandbox: OperatorSandbox
  let refusals: string[]
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { own: 'x' } })
    refusals = []
  })
  afterEach(() => sandbox.stop())

  const projectFor = (watches: string): Promise<Project> => projectOf({ widget: ROLE }, watches)

  async function start(watches: string, options: Partial<OperatorOptions> = {}): Promise<void> {
    sandbox.run(await projectFor(watches), { onTeardownRefused: (reason) => void refusals.push(reason), ...options })
  }

  /** Makes Widgets, each with its tier, and waits until they are ready. */
  async function make(widgets: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(widgets)) await sandbox.widget(name, {}, { labels: { tier: value } })
    for (const name of Object.keys(widgets)) await sandbox.ready('Ready', { name })
    await sandbox.until(recorded, (known) => known.length > 0)
    await sandbox.settled()
  }

  const relabel = (name: string, value: string): Promise<unknown> =>
    sandbox.edit(WIDGET, name, { metadata: { labels: { tier: value } } })
  const child = (name: string): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, name)
  const foreign = async (): Promise<unknown> => (await sandbox.get(CONFIG_MAP, 'foreign'))?.data
  const gone = (name: string, gvk = CONFIG_MAP): Promise<void> => sandbox.gone(gvk, name)
  const sparing = (wanted = true): Promise<unknown> =>
    sandbox.until(
      async () => sandbox.operator?.hasResourcesWithoutRole,
      (hasResourcesWithoutRole) => hasResourcesWithoutRole === wanted,
    )
  const saysNoRole = (name: string): Promise<unknown> => sandbox.ready('NoRole', { name })
  const sparingNoMore = (): Promise<unknown> => sparing(false)
  const recorded = async (): Promise<readonly string[]> => {
    const data = (await sandbox.get(CONFIG_MAP, LEDGER))?.data as Record<string, string> | undefined
    return JSON.parse(data?.['Widget.example.com'] ?? '{}').selectors ?? []
  }
  /** Waits for what the ledger says of the selectors. */
  const recordedAs = (...selectors: readonly string[]): Promise<unknown> =>
    sandbox.until(recorded, (known) => JSON.stringify(known) === JSON.stringify(selectors))

  it('stays as it is, also after the reload that was refused, and says why and what permits it', async () => {
    await start(WIDE)
    await make({ w: 'one' })
    const reload = sandbox.operator?.replaceProject(await projectFor(tier('two')))
    expect(reload).to.deep.equal({ kind: 'refused', reason: refusal('w') })
    await sandbox.halt()
    await start(tier('two'))
    await sparing()
    await saysNoRole('w')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect(await foreign()).to.deep.equal({ own: 'x', w: 'seen' })
    expect(refusals).to.deep.equal([refusal('w')])
  })

  const changes: { name: string; before: string; after: string }[] = [
    { name: 'a selector where there was none', before: WIDE, after: tier('two') },
    { name: 'another selector', before: tier('one'), after: tier('two') },
    { name: 'one entry less', before: tier('one') + tier('two'), after: tier('two') },
  ]
  for (const { name, before, after } of changes) {
    it(`stays with ${name}, start after start, and goes with --allow-teardown`, async () => {
      await start(before)
      await make({ w: 'one' })
      for (let starts = 1; starts <= 3; starts++) {
        await sandbox.halt()
        await start(after)
        await sparing()
        await saysNoRole('w')
        expect(await sandbox.settled()).to.deep.equal(starts === 1 ? ['patch Widget/status default/w'] : [])
      }
      expect(refusals).to.deep.equal([refusal('w'), refusal('w'), refusal('w')])
      await sandbox.halt()
      await start(after, { allowTeardown: true })
      await gone('w')
      await recordedAs('tier=two')
      expect(await foreign()).to.deep.equal({ own: 'x' })
      expect([refusals.length, sandbox.operator?.hasResourcesWithoutRole]).to.deep.equal([3, false])
    })
  }

  it('stays by all selectors since, whichever comes next', async () => {
    await start(tier('one'))
    await make({ a: 'one' })
    await sandbox.halt()
    await start(tier('two'))
    await sparing()
    await make({ b: 'two' })
    await sandbox.halt()
    await start(tier('three'))
    await sparing()
    await saysNoRole('b')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/b'])
    expect(refusals).to.deep.equal([refusal('a'), refusal('a', 'b')])
  })

  it('is looked after again, and spared no more, when its labels are such that an entry selects it', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await start(tier('two'))
    await sparing()
    await relabel('w', 'two')
    await sparingNoMore()
    await sandbox.remove(CONFIG_MAP, 'w')
    await sandbox.until(() => child('w'), Boolean)
    await sandbox.halt()
    await start(tier('two'))
    await recordedAs('tier=two')
    expect(refusals).to.deep.equal([refusal('w')])
  })

  it('is looked after again, and spared no more, when the former selectors come back', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await start(tier('two'))
    await sparing()
    expect(sandbox.operator?.replaceProject(await projectFor(tier('one')))).to.deep.equal({ kind: 'replaced' })
    await recordedAs('tier=one')
    await sandbox.remove(CONFIG_MAP, 'w')
    await sandbox.until(() => child('w'), Boolean)
    expect([refusals, sandbox.operator?.hasResourcesWithoutRole]).to.deep.equal([[refusal('w')], false])
    const watches = [...(sandbox.operator?.watches() ?? [])].filter(({ kind }) => kind === 'Widget.example.com')
    expect(watches).to.have.lengthOf(1)
  })

  it('goes beside it when it left the selectors by itself', async () => {
    await start(tier('one'))
    await make({ stays: 'one', leaves: 'one' })
    await sandbox.halt()
    await relabel('leaves', 'none')
    await start(tier('two'))
    await gone('leaves')
    await sparing()
    expect(refusals).to.deep.equal([refusal('stays')])
    expect(await child('stays')).to.not.equal(undefined)
  })

  it('is finished when a user deletes it, and then no resource is spared any more', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await start(tier('two'))
    await sparing()
    await sandbox.remove(WIDGET, 'w')
    await gone('w', WIDGET)
    await gone('w')
    await sparingNoMore()
    expect(await foreign()).to.deep.equal({ own: 'x' })
    await sandbox.halt()
    await start(tier('two'))
    await recordedAs('tier=two')
    expect(refusals).to.have.lengthOf(1)
  })

  it('is finished by a confined operator, too', async () => {
    const confined = (value: string): string => tier(value).replace(', selector', ', namespaces: [default], selector')
    await start(confined('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await start(confined('two'))
    await sparing()
    await sandbox.remove(WIDGET, 'w')
    await gone('w', WIDGET)
  })

  it('is finished when a user has deleted it before the start, and no log line says so', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await sandbox.remove(WIDGET, 'w')
    await start(tier('two'))
    await gone('w', WIDGET)
    await recordedAs('tier=two')
    expect(refusals).to.deep.equal([])
  })

  it('triggers no run while it waits for what holds a child', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.edit(CONFIG_MAP, 'w', { metadata: { finalizers: ['example.com/hold'] } })
    await sandbox.settled()
    await sandbox.halt()
    await start(tier('two'))
    await saysNoRole('w')
    await sandbox.settled()
    sandbox.runs.length = 0
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    await sandbox.settled()
    expect(sandbox.runs).to.have.lengthOf(1)
  })

  it('goes where an earlier version kept the ledger, which knows no selectors', async () => {
    await start(WIDE)
    await make({ w: 'one' })
    await sandbox.halt()
    const entry = JSON.stringify({ own: ['ConfigMap'], patch: ['ConfigMap'], conditions: [] })
    await sandbox.edit(CONFIG_MAP, LEDGER, { data: { 'Widget.example.com': entry } })
    await start(tier('two'))
    await gone('w')
    expect(refusals).to.deep.equal([])
  })

  it('stays also when the caller passes no onTeardownRefused', async () => {
    await start(tier('one'))
    await make({ w: 'one' })
    await sandbox.halt()
    await start(tier('two'), { onTeardownRefused: undefined })
    await sparing()
    expect(await child('w')).to.not.equal(undefined)
  })
})
