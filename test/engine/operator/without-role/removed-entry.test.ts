import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { OperatorOptions } from '../../../../src/engine/operator/operator.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { clientWith } from '../../../support/client-with.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

/** The patch takes a finalizer, and so does the child in another namespace. */
const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" } }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}", namespace: shared } }
  - patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: foreign }, data: { "\${metadata.name}": seen } }
`
const GADGET_ENTRY = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
const WIDGET_ENTRY = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'
const BOTH = GADGET_ENTRY + WIDGET_ENTRY
const ROLES = { widget: ROLE, gadget: 'tasks: [{status: {seen: true}}]\n' }
const LEDGER = 'rolebook-ledger'
const KEY = 'Widget.example.com'

const refusal = (...names: readonly string[]): string => {
  const resources = names.map((name) => `Widget default/${name}`).join(', ')
  const count = `${names.length} existing resources (${resources})`
  return `the removal of all entries of ${KEY} would tear down ${count}; --allow-teardown permits that`
}

long.describe('an entry that is taken out of watches.yaml', () => {
  let sandbox: OperatorSandbox
  let refusals: string[]
  /** How far the server's clock is ahead. */
  let ahead: number
  beforeEach(async () => {
    ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    sandbox = await OperatorSandbox.start({ workloads: false, clock })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { own: 'x' } })
    refusals = []
  })
  afterEach(() => sandbox.stop())

  async function start(watches: string, options: Partial<OperatorOptions> = {}): Promise<void> {
    sandbox.run(await projectOf(ROLES, watches), {
      onTeardownRefused: (reason) => void refusals.push(reason),
      ...options,
    })
  }

  async function make(...names: readonly string[]): Promise<void> {
    for (const name of names) await sandbox.widget(name)
    for (const name of names) await sandbox.ready('Ready', { name })
    await sandbox.settled()
  }

  const without = (): Promise<Project> => projectOf(ROLES, GADGET_ENTRY)
  const child = (name: string, namespace = 'default'): Promise<KubeObject | undefined> =>
    sandbox.get(CONFIG_MAP, name, namespace)
  const foreign = async (): Promise<unknown> => (await sandbox.get(CONFIG_MAP, 'foreign'))?.data
  const finalizers = async (name: string): Promise<readonly string[] | undefined> => {
    const widget = await sandbox.get(WIDGET, name)
    return widget && (widget.metadata.finalizers ?? [])
  }
  const ledgerKeys = async (): Promise<readonly string[]> =>
    Object.keys(((await sandbox.get(CONFIG_MAP, LEDGER))?.data as object | undefined) ?? {})
  const sparing = (count: number): Promise<unknown> =>
    sandbox.until(
      async () => sandbox.operator?.withoutRole().get(KEY) ?? 0,
      (seen) => seen === count,
    )
  const forgotten = (): Promise<unknown> => sandbox.until(ledgerKeys, (keys) => !keys.includes(KEY))
  const left = async (name: string): Promise<void> => {
    await sandbox.until(
      () => child(name, 'shared'),
      (object) => object === undefined,
    )
    await sandbox.gone(CONFIG_MAP, name)
  }

  it('is refused while it has resources, with their names and what permits it, and all goes on', async () => {
    await start(BOTH)
    await make('w')
    const reload = sandbox.operator?.replaceProject(await without())
    expect(reload).to.deep.equal({ kind: 'refused', reason: refusal('w') })
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.remove(CONFIG_MAP, 'w')
    await sandbox.until(() => child('w'), Boolean)
  })

  it('goes without a word when nothing was made for its resources', async () => {
    await start(BOTH)
    await sandbox.settled()
    expect(sandbox.operator?.replaceProject(await without())).to.deep.equal({ kind: 'replaced' })
    await forgotten()
    expect(refusals).to.deep.equal([])
  })

  it('is taken over with --allow-teardown: nothing is left of it, and the resource does not say that it is ready', async () => {
    await start(BOTH, { allowTeardown: true })
    await make('a', 'b')
    expect(sandbox.operator?.replaceProject(await without())).to.deep.equal({ kind: 'replaced' })
    for (const name of ['a', 'b']) await left(name)
    await sandbox.until(
      async () => [await finalizers('a'), await finalizers('b')],
      (seen) => JSON.stringify(seen) === '[[],[]]',
    )
    await sandbox.ready('Deleting', { name: 'a' })
    expect(await foreign()).to.deep.equal({ own: 'x' })
    await forgotten()
    expect(refusals).to.deep.equal([])
  })

  it('leaves all as it is when it went while the operator was down, start after start, and says so', async () => {
    await start(BOTH)
    await make('a', 'b')
    const before = await child('a')
    for (let starts = 1; starts <= 2; starts++) {
      await sandbox.halt()
      await start(GADGET_ENTRY)
      await sparing(2)
      await sandbox.settled()
    }
    expect(refusals).to.deep.equal([refusal('a', 'b'), refusal('a', 'b')])
    expect(await foreign()).to.deep.equal({ own: 'x', a: 'seen', b: 'seen' })
    expect((await child('a'))?.metadata).to.deep.equal(before?.metadata)
    expect(await child('a', 'shared')).to.not.equal(undefined)
    const { status, message } = await sandbox.ready('NoRole', { name: 'a' })
    expect([status, message]).to.deep.equal([
      'False',
      'no watch entry selects the resource any more: its objects stay as they are and are not reconciled',
    ])
  })

  it('is not forgotten because a list of its resources is empty by mistake', async () => {
    await start(BOTH)
    await make('a')
    await sandbox.halt()
    let isEmpty = true
    const list: KubeClient['list'] = (gvk, options) => {
      if (gvk.kind !== 'Widget' || !isEmpty) return sandbox.client.list(gvk, options)
      isEmpty = false
      return Promise.resolve({ items: [], resourceVersion: '1' })
    }
    await start(GADGET_ENTRY, { client: clientWith(sandbox.client, { list }) })
    await sandbox.ready('NoRole', { name: 'a' })
    expect(isEmpty).to.equal(false)
    expect(await ledgerKeys()).to.include(KEY)
  })

  it('is not forgotten while the children of its resources may not be read', async () => {
    await start(BOTH)
    await make('a')
    await sandbox.halt()
    await sandbox.edit(WIDGET, 'a', { metadata: { finalizers: null } })
    let failures = 2
    const list: KubeClient['list'] = (gvk, options) => {
      if (gvk.kind !== 'ConfigMap' || failures === 0) return sandbox.client.list(gvk, options)
      failures--
      return Promise.reject(new ApiError(403, 'Forbidden', 'it may not'))
    }
    await start(GADGET_ENTRY, { client: clientWith(sandbox.client, { list }), clock: fastClock(1000) })
    await sandbox.ready('NoRole', { name: 'a' })
    expect(failures).to.equal(0)
  })

  it('goes with its resources at a start with --allow-teardown', async () => {
    await start(BOTH)
    await make('w')
    await sandbox.halt()
    await start(GADGET_ENTRY, { allowTeardown: true })
    await left('w')
    await forgotten()
    expect(await foreign()).to.deep.equal({ own: 'x' })
    expect([await finalizers('w'), refusals]).to.deep.equal([[], []])
  })

  it('does not hold up the deletion of a resource, after which its kind is forgotten', async () => {
    await start(BOTH)
    await make('a', 'b')
    await sandbox.halt()
    await start(GADGET_ENTRY)
    await sparing(2)
    await sandbox.remove(WIDGET, 'a')
    await sandbox.gone(WIDGET, 'a')
    await left('a')
    await sparing(1)
    expect(await foreign()).to.deep.equal({ own: 'x', b: 'seen' })
    expect(await ledgerKeys()).to.include(KEY)
    await sandbox.remove(WIDGET, 'b')
    await sandbox.gone(WIDGET, 'b')
    await forgotten()
    expect([await foreign(), sandbox.operator?.hasResourcesWithoutRole]).to.deep.equal([{ own: 'x' }, false])
  })

  it('lets a resource go that a user deleted before the start', async () => {
    await start(BOTH)
    await make('w')
    await sandbox.halt()
    // By now the garbage collector knows of the child that it can reach.
    ahead = 120_000
    await sandbox.remove(WIDGET, 'w')
    await start(GADGET_ENTRY)
    await sandbox.gone(WIDGET, 'w')
    await left('w')
    await forgotten()
    expect(refusals).to.deep.equal([])
  })

  it('leaves the children of a resource when it is in doubt whether the resource was deleted, and says so', async () => {
    await start(BOTH)
    await make('w')
    await sandbox.halt()
    await sandbox.remove(WIDGET, 'w')
    await start(GADGET_ENTRY)
    await sandbox.gone(WIDGET, 'w')
    await forgotten()
    const kept = async (): Promise<readonly unknown[]> =>
      (await sandbox.client.list({ group: 'events.k8s.io', version: 'v1', kind: 'Event' })).items
        .filter(({ reason }) => reason === 'ChildrenKept')
        .map(({ note }) => String(note).includes('ConfigMap shared/w'))
    await sandbox.until(kept, ({ length }) => length > 0)
    expect([await kept(), (await child('w', 'shared')) !== undefined]).to.deep.equal([[true], true])
    expect(await foreign()).to.deep.equal({ own: 'x' })
  })

  it('is as before when it comes back: no child is written, and the resource is ready', async () => {
    await start(BOTH)
    await make('w')
    const before = await child('w')
    await sandbox.halt()
    await start(GADGET_ENTRY)
    await sandbox.ready('NoRole')
    await sandbox.settled()
    expect(sandbox.operator?.replaceProject(await projectOf(ROLES, BOTH))).to.deep.equal({ kind: 'replaced' })
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect((await child('w'))?.metadata).to.deep.equal(before?.metadata)
    expect([sandbox.operator?.hasResourcesWithoutRole, await ledgerKeys()]).to.deep.equal([
      false,
      [...(await ledgerKeys())],
    ])
    await sandbox.remove(CONFIG_MAP, 'w')
    await sandbox.until(() => child('w'), Boolean)
  })

  it('is known by the ledger of an earlier version, too', async () => {
    await start(BOTH)
    await make('w')
    await sandbox.halt()
    const entry = JSON.stringify({ own: ['ConfigMap'], patch: ['ConfigMap'], conditions: [] })
    await sandbox.edit(CONFIG_MAP, LEDGER, { data: { [KEY]: entry } })
    await start(GADGET_ENTRY)
    await sparing(1)
    expect(refusals).to.deep.equal([refusal('w')])
    expect(await child('w')).to.not.equal(undefined)
  })

  it('lets a cluster-scoped resource go, which an entry that says nothing of namespaces let write in any of them', async () => {
    const patch =
      'tasks: [{patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: foreign, namespace: default}, data: {g: seen}}}]\n'
    sandbox.run(await projectOf({ ...ROLES, gadget: patch }, BOTH))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    expect(await foreign()).to.deep.equal({ own: 'x', g: 'seen' })
    await sandbox.halt()
    await start(WIDGET_ENTRY)
    await sandbox.ready('NoRole', { gvk: GADGET, name: 'g' })
    await sandbox.remove(GADGET, 'g')
    await sandbox.gone(GADGET, 'g')
    expect(await foreign()).to.deep.equal({ own: 'x' })
  })

  it('does not run `finalize`, and an event on the resource says so', async () => {
    const final = { ...ROLES, widget: `${ROLE}finalize: [{wait: {for: "\${false}", message: never}}]\n` }
    sandbox.run(await projectOf(final, BOTH))
    await make('w')
    await sandbox.halt()
    await start(GADGET_ENTRY)
    await sparing(1)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    const notes = async (): Promise<readonly unknown[]> =>
      (await sandbox.client.list({ group: 'events.k8s.io', version: 'v1', kind: 'Event' })).items
        .filter(({ reason }) => reason === 'FinalizeSkipped')
        .map(({ note }) => note)
    await sandbox.until(notes, ({ length }) => length > 0)
    expect(await notes()).to.deep.equal([
      'cannot run the `finalize` tasks: no watch entry selects the resource any more',
    ])
  })
})
