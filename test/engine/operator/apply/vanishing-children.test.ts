import { expect } from 'chai'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: child } }\n'

describe('A child that another client deletes', () => {
  let sandbox: OperatorSandbox
  const rival = new AbortController()
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(async () => {
    rival.abort()
    await sandbox.stop()
  })

  /** Deletes the child whenever it is there. */
  async function deleteAlways(): Promise<void> {
    try {
      for await (const event of sandbox.client.watch(CONFIG_MAP, { namespace: 'default', signal: rival.signal })) {
        if (event.type === 'ADDED' && event.object.metadata.name === 'child') await sandbox.remove(CONFIG_MAP, 'child')
      }
    } catch (error) {
      if (!rival.signal.aborted) throw error
    }
  }

  it('is made again at once, six times; then it is left alone for a while, which the condition says', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    const rivalry = deleteAlways()
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.include('ConfigMap default/child keeps being deleted by another client')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('DriftFight')
    const writes = await sandbox.settled()
    expect(writes.filter((write) => write === 'apply ConfigMap default/child')).to.have.length(6)
    expect(await sandbox.settled()).to.deep.equal([])
    rival.abort()
    await rivalry
  })

  it('is made again by one write, before which the resource alone is asked for', async () => {
    const asked: string[] = []
    const get: KubeClient['get'] = (gvk, key, options) => {
      asked.push(gvk.kind)
      return sandbox.client.get(gvk, key, options)
    }
    sandbox.run(await projectOf({ widget: ROLE }), { client: clientWith(sandbox.client, { get }) })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    asked.length = 0
    await sandbox.remove(CONFIG_MAP, 'child')
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'child'),
      (child) => child !== undefined,
    )
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/child'])
    expect(asked).to.deep.equal([WIDGET.kind])
  })

  it('does not count what the operator itself removed', async () => {
    const role = `tasks:\n  - when: "\${spec.on}"\n    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: child } }\n`
    sandbox.run(await projectOf({ widget: role }))
    for (let round = 0; round < 8; round++) {
      for (const on of [true, false]) {
        await sandbox.widget('w', { on, round })
        await sandbox.until(
          () => sandbox.get(CONFIG_MAP, 'child'),
          (child) => (child !== undefined) === on,
        )
      }
    }
    await sandbox.ready('Ready')
  })

  for (const since of ['in the same process', 'after a restart']) {
    it(`is not made again for a resource that is gone from the server and still in the cache, ${since}`, async () => {
      let isRestored = false
      const get: KubeClient['get'] = async (gvk, key, options) =>
        isRestored && gvk.kind === WIDGET.kind ? undefined : sandbox.client.get(gvk, key, options)
      const project = await projectOf({ widget: ROLE })
      const client = clientWith(sandbox.client, { get })
      sandbox.run(project, { client })
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.settled()
      if (since === 'after a restart') await sandbox.restart(project, { client })
      isRestored = true
      await sandbox.remove(CONFIG_MAP, 'child')
      await sandbox.until(
        async () => sandbox.runs.at(-1)?.outcome,
        (outcome) => outcome === 'failed',
      )
      expect(await sandbox.get(CONFIG_MAP, 'child')).to.equal(undefined)
    })
  }
})
