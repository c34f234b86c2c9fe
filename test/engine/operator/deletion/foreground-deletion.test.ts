import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const HOLD = 'example.com/hold'
const FINALIZER = 'rolebook.dev/finalizer'
const map = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`
/** By their names, the objects come in another order than by the tasks. */
const ROLE = `tasks:\n  - ensure: ${map('b')}\n  - ensure: ${map('c')}\n  - ensure: ${map('a')}\n`
const watch = (deletion: string): string =>
  `- {group: example.com, version: v1, kind: Widget, role: widget, deletion: ${deletion}}\n`
const FOREGROUND = watch('foreground')
const REVERSE = watch('{propagation: foreground, order: reverse}')

describe('deletion: foreground', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const project = (watches: string, role = ROLE): Promise<Project> => projectOf({ widget: role }, watches)
  const begin = async (watches: string, role = ROLE): Promise<void> => {
    sandbox.run(await project(watches, role))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
  }
  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')
  const hold = (name: string, finalizers: readonly string[] | null): Promise<KubeObject> =>
    sandbox.edit(CONFIG_MAP, name, { metadata: { finalizers } })
  const says = (message: string): Promise<unknown> =>
    sandbox.until(
      () => sandbox.condition('Ready'),
      (ready) => ready?.reason === 'Deleting' && ready.message === message,
    )
  /** The children that are there, with a mark at those that are being deleted. */
  const children = async (): Promise<readonly string[]> => {
    await sandbox.settled()
    const { items } = await sandbox.client.list(CONFIG_MAP, { namespace: 'default' })
    const ours = items.filter(({ metadata }) => ['a', 'b', 'c'].includes(metadata.name ?? ''))
    return ours.map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp ? ' going' : ''}`)
  }

  it('puts the finalizer on each resource before its first child', async () => {
    sandbox.run(await project(FOREGROUND))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const writes = await sandbox.settled()
    expect(writes.slice(0, 2)).to.deep.equal(['patch Widget default/w', 'apply ConfigMap default/b'])
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.deep.equal([FINALIZER])
  })

  it('puts it on those that are there when the entry changes, and waits for no child when it changes back', async () => {
    await begin(watch('background'))
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.equal(undefined)
    sandbox.operator?.replaceProject(await project(FOREGROUND))
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => widget?.metadata.finalizers?.includes(FINALIZER) ?? false,
    )
    sandbox.operator?.replaceProject(await project(watch('background')))
    await sandbox.settled()
    await hold('a', [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await gone()
    await hold('a', null)
  })

  it('keeps the resource until all of its children are gone, and says which one hangs on what', async () => {
    await begin(FOREGROUND)
    for (const name of ['a', 'c']) await hold(name, [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await says(`ConfigMap default/a is being deleted: finalizer ${HOLD} is still set`)
    expect(await children()).to.deep.equal(['a going', 'c going'])
    await hold('a', null)
    await says(`ConfigMap default/c is being deleted: finalizer ${HOLD} is still set`)
    await hold('c', null)
    await gone()
    expect(await children()).to.deep.equal([])
  })

  it('waits for what depends on a child, too', async () => {
    await begin(FOREGROUND, `tasks: [{ensure: ${map('a')}}]\n`)
    const { uid = '' } = (await sandbox.get(CONFIG_MAP, 'a'))?.metadata ?? {}
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid, blockOwnerDeletion: true }
    const metadata = { name: 'grandchild', ownerReferences: [owner], finalizers: [HOLD] }
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
    await sandbox.remove(WIDGET, 'w')
    await says('ConfigMap default/a is being deleted: finalizer foregroundDeletion is still set')
    await hold('grandchild', null)
    await gone()
  })

  it('in reverse order deletes the last made first, and each only when the one before is gone', async () => {
    await begin(REVERSE)
    await hold('c', [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await says(`ConfigMap default/c is being deleted: finalizer ${HOLD} is still set`)
    expect(await children()).to.deep.equal(['b', 'c going'])
    await hold('c', null)
    await gone()
    expect(await children()).to.deep.equal([])
  })

  it('goes on one by one after a restart', async () => {
    await begin(REVERSE)
    await hold('a', [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await says(`ConfigMap default/a is being deleted: finalizer ${HOLD} is still set`)
    await sandbox.halt()
    sandbox.run(await project(REVERSE))
    expect(await children()).to.deep.equal(['a going', 'b', 'c'])
    await hold('a', null)
    await gone()
    expect(await children()).to.deep.equal([])
  })

  it('removes nothing when the children are to stay', async () => {
    await begin(FOREGROUND)
    await sandbox.client.delete(WIDGET, { namespace: 'default', name: 'w' }, { propagationPolicy: 'Orphan' })
    await gone()
    expect(await children()).to.deep.equal(['a', 'b', 'c'])
  })
})
