import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}]\n'
const ENTRY = '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {shard: '

describe('a resource that left the selector', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('is not called ready any more', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, `${ENTRY}a}}}\n`))
    await sandbox.widget('w', {}, { labels: { shard: 'a' } })
    await sandbox.ready('Ready')
    await sandbox.widget('w', {}, { labels: { shard: 'c' } })
    const { status, message } = await sandbox.ready('Deleting')
    await sandbox.settled()
    expect(status).to.equal('False')
    expect((await sandbox.condition('Ready'))?.message ?? message).to.include('no watch entry selects')
    expect(await sandbox.get(CONFIG_MAP, 'part')).to.equal(undefined)
  })

  it('stays ready when another entry takes it', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, `${ENTRY}a}}}\n${ENTRY}b}}}\n`))
    await sandbox.widget('w', {}, { labels: { shard: 'a' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', {}, { labels: { shard: 'b' } })
    await sandbox.settled()
    expect((await sandbox.condition('Ready'))?.reason).to.equal('Ready')
  })

  const ends: { name: string; leave: () => Promise<unknown>; isOver: () => Promise<boolean> }[] = [
    {
      name: 'no entry selects it any more',
      leave: () => moveTo(null),
      isOver: async () => (await finalizers())?.length === 0,
    },
    {
      name: 'it is the other entry’s',
      leave: () => moveTo('a'),
      isOver: async () => (await sandbox.get(CONFIG_MAP, 'part', 'shared')) === undefined,
    },
    {
      name: 'it is the other entry’s and goes',
      leave: async () => {
        await sandbox.halt()
        await moveTo('a')
        await sandbox.remove(WIDGET, 'w')
        // Nothing shows which deletion it was: a person says so.
        const uid = (await sandbox.get(WIDGET, 'w'))?.metadata.uid
        const annotations = { 'rolebook.dev/propagation-policy': `${uid} Background` }
        await sandbox.edit(WIDGET, 'w', { metadata: { annotations } })
        sandbox.run(await shards())
      },
      isOver: async () => (await finalizers()) === undefined,
    },
  ]
  const moveTo = (shard: string | null): Promise<unknown> =>
    sandbox.edit(WIDGET, 'w', { metadata: { labels: { shard } } })
  const finalizers = async (): Promise<readonly string[] | undefined> => {
    const widget = await sandbox.get(WIDGET, 'w')
    return widget && (widget.metadata.finalizers ?? [])
  }
  /** Two entries. Only the second lets its role write to another namespace. */
  const shards = (): Promise<Project> =>
    projectOf(
      { widget: ROLE, sharing: ROLE.replace('name: part', 'name: part, namespace: shared') },
      `${ENTRY}a}}}\n${ENTRY.replace('role: widget', 'role: sharing, allowedNamespaces: [shared]')}b}}}\n`,
    )
  for (const { name, leave, isOver } of ends) {
    it(`leaves nothing where only its former entry may write, once ${name}`, async () => {
      await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
      sandbox.run(await shards())
      await sandbox.widget('w', {}, { labels: { shard: 'b' } })
      await sandbox.ready('Ready')
      await sandbox.settled()
      const part = (await sandbox.get(CONFIG_MAP, 'part', 'shared')) as KubeObject
      const { labels, annotations } = part.metadata
      const forged = { name: 'forged', namespace: 'shared', labels, annotations } as KubeObject['metadata']
      await sandbox.apply({ ...part, metadata: forged })
      await leave()
      await sandbox.until(isOver, (over) => over)
      await sandbox.settled()
      expect(await sandbox.get(CONFIG_MAP, 'part', 'shared')).to.equal(undefined)
      expect(await sandbox.get(CONFIG_MAP, 'forged', 'shared'), 'what others marked').to.not.equal(undefined)
    })
  }
})
