import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const role = (onImmutable: string, spec = ''): string => `
tasks:
  - name: Settings
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, immutable: true, data: {a: "\${spec.a}"${spec}}}
    onImmutable: ${onImmutable}
    register: part
  - status: {uid: "\${$part.metadata.uid}"}
`
const RECREATE = role('recreate')
const SERVICE = { group: '', version: 'v1', kind: 'Service' }

describe('onImmutable', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const begin = async (text = RECREATE): Promise<KubeObject> => {
    sandbox.run(await projectOf({ widget: text }))
    await sandbox.widget('w', { a: '1' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    return (await sandbox.get(CONFIG_MAP, 'part')) as KubeObject
  }
  const want = (a: unknown): Promise<unknown> => sandbox.edit(WIDGET, 'w', { spec: { a: a as string } })
  const untilNew = ({ metadata }: KubeObject): Promise<KubeObject | undefined> =>
    sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'part'),
      (part) => part !== undefined && part.metadata.uid !== metadata.uid,
    )
  const writes = async (): Promise<readonly string[]> =>
    (await sandbox.settled()).filter((write) => !write.includes('status'))

  it('fail: says what the server refuses, and leaves the object alone', async () => {
    const before = await begin(role('fail'))
    await want('2')
    const { message } = await sandbox.ready('Invalid')
    expect(message).to.contain('immutable')
    expect((await sandbox.get(CONFIG_MAP, 'part'))?.metadata.uid).to.equal(before.metadata.uid)
  })

  it('recreate: deletes the object and makes it anew, at once', async () => {
    const before = await begin()
    await want('2')
    const after = await untilNew(before)
    expect(after?.data).to.deep.equal({ a: '2' })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await writes()).to.deep.equal([
      'apply ConfigMap default/part',
      'create ConfigMap default/rolebook-dry-run',
      'delete ConfigMap default/part',
      'apply ConfigMap default/part',
    ])
    expect((await sandbox.get(WIDGET, 'w'))?.status).to.include({ uid: after?.metadata.uid })
  })

  it('recreate: waits for an object that a finalizer holds', async () => {
    const before = await begin()
    await sandbox.edit(CONFIG_MAP, 'part', { metadata: { finalizers: ['example.com/hold'] } })
    await sandbox.settled()
    await want('2')
    const { message } = await sandbox.ready('Waiting')
    expect(message).to.equal('task "Settings": ConfigMap default/part is being deleted, to be made anew')
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'part', { metadata: { finalizers: null } })
    expect((await untilNew(before))?.data).to.deep.equal({ a: '2' })
    await sandbox.ready('Ready', { generation: 2 })
  })

  it('recreate: keeps the object when the server would take no new one', async () => {
    const before = await begin(role('recreate', ', "${spec.key ?? \'b\'}": x'))
    await sandbox.edit(WIDGET, 'w', { spec: { key: 'no such key!' } })
    await sandbox.ready('Invalid')
    expect((await sandbox.get(CONFIG_MAP, 'part'))?.metadata.uid).to.equal(before.metadata.uid)
    expect(await writes()).to.not.include('delete ConfigMap default/part')
  })

  it('recreate: fails for a field that the role does not set', async () => {
    sandbox.run(
      await projectOf({
        widget: `tasks:\n  - {ensure: {apiVersion: v1, kind: Service, metadata: {name: part}, spec: {ports: [{port: 80}], type: "\${spec.type}", externalName: "\${spec.to}"}}, onImmutable: recreate}\n`,
      }),
    )
    await sandbox.widget('w', { type: 'ClusterIP' })
    await sandbox.ready('Ready')
    const before = await sandbox.get(SERVICE, 'part')
    await sandbox.edit(WIDGET, 'w', { spec: { type: 'NoSuchType' } })
    await sandbox.ready('Invalid')
    expect((await sandbox.get(SERVICE, 'part'))?.metadata.uid).to.equal(before?.metadata.uid)
  })
})
