import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const role = (drift: string, rest = ''): string =>
  `tasks:\n  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, data: {a: "\${spec.a}", b: "1"}}, drift: ${drift}${rest}}\n`
const ONCE = role('once')

describe('drift: once', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const begin = async (text = ONCE) => {
    const operator = sandbox.run(await projectOf({ widget: text }))
    await sandbox.widget('w', { a: '1' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    return operator
  }
  const data = async (): Promise<unknown> => (await sandbox.get(CONFIG_MAP, 'part'))?.data
  const until = (expected: JsonObject): Promise<unknown> =>
    sandbox.until(data, (seen) => JSON.stringify(seen) === JSON.stringify(expected))
  const edit = (body: JsonObject): Promise<unknown> => sandbox.edit(CONFIG_MAP, 'part', body)

  it('leaves the edits of others, also after a restart', async () => {
    await begin()
    await edit({ data: { b: '2', c: '3' } })
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: ONCE }))
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await data()).to.deep.equal({ a: '1', b: '2', c: '3' })
  })

  it('applies the object as a whole when what is wanted has changed', async () => {
    await begin()
    await edit({ data: { b: '2' } })
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { spec: { a: '9' } })
    await until({ a: '9', b: '1' })
    await edit({ data: { b: '2' } })
    expect((await sandbox.settled()).filter((write) => !write.includes('status'))).to.deep.equal([
      'apply ConfigMap default/part',
    ])
    expect(await data()).to.deep.equal({ a: '9', b: '2' })
  })

  it('brings a deleted object back', async () => {
    await begin()
    await edit({ data: { b: '2' } })
    await sandbox.settled()
    await sandbox.remove(CONFIG_MAP, 'part')
    await until({ a: '1', b: '1' })
  })

  it('is over when the role enforces again', async () => {
    const operator = await begin()
    await edit({ data: { b: '2' } })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: role('enforce') }))
    await until({ a: '1', b: '1' })
  })

  it('puts back what says whose the object is', async () => {
    await begin()
    await edit({ metadata: { annotations: { 'rolebook.dev/owner': 'somebody' } } })
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'part'),
      (part) => part?.metadata.annotations?.['rolebook.dev/owner'] === 'Widget.example.com/default/w',
    )
  })

  it('leaves the edits of others when the mark of what was sent is taken away', async () => {
    await begin()
    await edit({ data: { b: '2' }, metadata: { annotations: { 'rolebook.dev/applied': null } } })
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await data()).to.deep.equal({ a: '1', b: '2' })
  })

  it('applies an object that is taken over', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'part' }, data: { b: '7' } })
    await begin(role('once', ', adopt: ifUnowned'))
    expect(await data()).to.deep.equal({ a: '1', b: '1' })
  })

  it('leaves a retained object to others, and with its owner', async () => {
    await begin(role('once', ', retain: true'))
    await edit({ data: { b: '2' } })
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect(await data()).to.deep.equal({ a: '1', b: '2' })
  })
})
