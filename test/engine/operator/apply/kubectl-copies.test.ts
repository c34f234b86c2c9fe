import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { HeldWatch } from '../../../support/held-watch.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET } from '../../../support/operator-sandbox.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const copyOf = (source: string): string => `  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: copy}
      data: {note: "\${${source}.note}", count: "\${$string($count($keys(${source})[$contains('kubectl')]))}"}
`

/** Annotations as `kubectl apply` leaves them. */
const annotations = { note: 'theirs', [LAST_APPLIED]: '{"data":{"password":"Zm9ybWVyLXBhc3N3b3Jk"}}' }

describe('The copy that `kubectl apply` leaves in an annotation', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const copied = async (): Promise<unknown> => (await sandbox.get(CONFIG_MAP, 'copy'))?.data

  const tasks = [
    { name: 'patched', more: '', task: 'patch' },
    { name: 'adopted', more: '    adopt: ifUnowned\n', task: 'ensure' },
  ]
  for (const { name, more, task } of tasks) {
    it(`is not in a Secret that was ${name} just now, as it is in none that was read`, async () => {
      const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'creds', annotations } }
      await sandbox.apply(secret)
      const writing = `  - ${task}: {apiVersion: v1, kind: Secret, metadata: {name: creds, labels: {a: b}}}\n${more}    register: secret\n`
      sandbox.run(await projectOf({ widget: `tasks:\n${writing}${copyOf('$secret.metadata.annotations')}` }))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      expect((await sandbox.get(SECRET, 'creds'))?.metadata.annotations, 'it stays').to.include(annotations)
      expect(await copied()).to.deep.equal({ note: 'theirs', count: '0' })
    })
  }

  it('is not in a resource whose status was written just now, either', async () => {
    const watch = new HeldWatch(sandbox.client, 'Widget')
    sandbox.run(await projectOf({ widget: `tasks:\n${copyOf('metadata.annotations')}` }), { client: watch.client })
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', annotations } })
    await sandbox.until(copied, (data) => data !== undefined)
    watch.hold()
    try {
      await sandbox.ready('Ready')
      const runs = sandbox.runs.length
      await sandbox.edit(CONFIG_MAP, 'copy', { data: { note: 'drift' } })
      await sandbox.until(
        async () => sandbox.runs.length,
        (count) => count > runs,
      )
      expect(await copied()).to.deep.equal({ note: 'theirs', count: '0' })
    } finally {
      watch.letGo()
    }
  })
})
