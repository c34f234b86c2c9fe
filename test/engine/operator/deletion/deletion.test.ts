import { expect } from 'chai'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { OperatorOptions } from '../../../../src/engine/operator/operator.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: [other]}}\n'
const far = (name: string): string =>
  `ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: other}}`
const FAR = `tasks:\n  - ${far('a')}\n  - ${far('b')}\n`
const HOLD = 'example.com/hold'

describe('a resource that goes', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
  })
  afterEach(() => sandbox.stop())

  const begin = async (role: string, options: Partial<OperatorOptions> = {}): Promise<void> => {
    sandbox.run(await projectOf({ widget: role }, WATCH), options)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
  }
  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')
  const child = (name: string): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, name, 'other')
  const hold = async (name: string, finalizers: readonly string[] | null): Promise<void> => {
    const patch = { type: 'merge', body: { metadata: { finalizers } } } as const
    await sandbox.client.patch(CONFIG_MAP, { namespace: 'other', name }, patch, { fieldManager: 'person' })
  }
  /** What runs have said of objects that they removed. */
  const removed = (): readonly string[] => sandbox.runs.flatMap(({ trace }) => trace?.removed ?? [])

  it('reports each object that it removes, once', async () => {
    await begin(FAR)
    await hold('a', [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { spec: { look: 'again' } })
    await sandbox.settled()
    await hold('a', null)
    await gone()
    await sandbox.settled()
    expect(removed()).to.deep.equal(['ConfigMap other/b', 'ConfigMap other/a'])
  })

  it('leaves what has gone by itself, and what others have made in its place', async () => {
    await begin(FAR)
    await hold('a', [HOLD])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    await sandbox.settled()
    // The operator is down, so no watch shows it the removal: it has to look.
    await sandbox.halt()
    await hold('a', null)
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'other' } })
    sandbox.run(await projectOf({ widget: FAR }, WATCH))
    await gone()
    expect([await child('b'), (await child('a'))?.metadata.labels]).to.deep.equal([undefined, undefined])
    expect(await child('a')).to.not.equal(undefined)
  })

  it('does not report an object that others delete while it is listed', async () => {
    let isDeparting = false
    const list: KubeClient['list'] = async (gvk, options) => {
      const listed = await sandbox.client.list(gvk, options)
      if (isDeparting && listed.items.some(({ metadata }) => metadata.name === 'a'))
        await sandbox.client.delete(gvk, { namespace: 'other', name: 'a' })
      return listed
    }
    await begin(FAR, { client: clientWith(sandbox.client, { list }) })
    isDeparting = true
    await sandbox.remove(WIDGET, 'w')
    await gone()
    await sandbox.settled()
    expect(removed()).to.deep.equal(['ConfigMap other/b'])
  })

  it('costs no request where only others hold it up', async () => {
    await begin('tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: near}}\n')
    await sandbox.edit(WIDGET, 'w', { metadata: { finalizers: ['example.com/theirs'] } })
    await sandbox.settled()
    sandbox.reads.length = 0
    await sandbox.remove(WIDGET, 'w')
    expect([await sandbox.settled(), sandbox.reads]).to.deep.equal([[], []])
    expect(sandbox.runs.at(-1)?.outcome).to.equal('gone')
    await sandbox.edit(WIDGET, 'w', { metadata: { finalizers: null } })
    await gone()
  })

  describe('says what holds it', () => {
    const cases: { name: string; finalizers: readonly string[]; message: string }[] = [
      {
        name: 'a finalizer',
        finalizers: [HOLD],
        message: `ConfigMap other/b is being deleted: finalizer ${HOLD} is still set`,
      },
      {
        name: 'several finalizers, whatever their order',
        finalizers: ['example.com/z', HOLD],
        message: `ConfigMap other/b is being deleted: finalizers ${HOLD}, example.com/z are still set`,
      },
    ]
    for (const { name, finalizers, message } of cases) {
      it(`${name}, and nothing else while that stays so`, async () => {
        await begin(FAR)
        for (const one of ['a', 'b']) await hold(one, finalizers)
        await sandbox.remove(WIDGET, 'w')
        expect((await sandbox.ready('Deleting')).message).to.equal(message)
        await sandbox.settled()
        await sandbox.edit(WIDGET, 'w', { spec: { look: 'again' } })
        expect(await sandbox.settled()).to.deep.equal([])
        await hold('b', null)
        const next = message.replace('other/b', 'other/a')
        await sandbox.until(
          () => sandbox.condition('Ready'),
          (ready) => ready?.message === next,
        )
        await hold('a', null)
        await gone()
      })
    }
  })
})
