import { expect } from 'chai'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const COUNT = 50

/** The role of the benchmarks: three objects that are ready at once, and a status. */
const ROLE = `
tasks:
  - name: Config
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}"}, data: {size: "\${spec.size}"}}
  - name: Token
    ensure: {apiVersion: v1, kind: Secret, metadata: {name: "\${metadata.name}"}, stringData: {token: fixed}}
  - name: Account
    ensure: {apiVersion: v1, kind: ServiceAccount, metadata: {name: "\${metadata.name}"}}
  - name: Status
    status: {size: "\${spec.size}"}
`

describe('the requests of a run', () => {
  let sandbox: OperatorSandbox
  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    sandbox.run(await projectOf({ widget: ROLE }))
    // The first resource of a kind also pays for the ledger and the schema of its status.
    await sandbox.widget('first', { size: 'one' })
    await sandbox.settled()
    await sandbox.until(
      async () => sandbox.events.length,
      (count) => count === 1,
    )
  })
  after(() => sandbox.stop())

  const names = Array.from({ length: COUNT }, (_, index) => `w-${index}`)
  const countByKind = (writes: readonly string[]): Record<string, number> => {
    const kinds = Map.groupBy(writes, (line) => line.split(' ').slice(0, 2).join(' '))
    return Object.fromEntries([...kinds].map(([kind, lines]) => [kind, lines.length]))
  }
  const forget = (): void => {
    for (const list of [sandbox.reads, sandbox.events]) list.splice(0)
  }
  const STEPS = [
    {
      name: 'that makes three objects are four writes, one event and no read',
      size: 'one',
      writes: { 'apply ConfigMap': COUNT, 'apply Secret': COUNT, 'apply ServiceAccount': COUNT },
    },
    {
      name: 'that changes one of them are two writes, one event and no read',
      size: 'two',
      writes: { 'apply ConfigMap': COUNT },
    },
  ]
  for (const { name, size, writes } of STEPS) {
    it(name, async () => {
      forget()
      await Promise.all(names.map((widget) => sandbox.widget(widget, { size })))
      await sandbox.until(
        async () => sandbox.events.length,
        (count) => count === COUNT,
      )
      expect(countByKind(await sandbox.settled())).to.deep.equal({ ...writes, 'patch Widget/status': COUNT })
      expect(sandbox.reads).to.deep.equal([])
      expect(sandbox.events).to.have.length(COUNT)
    })
  }
})
