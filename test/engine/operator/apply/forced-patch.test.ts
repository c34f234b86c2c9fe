import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const role = (force: boolean): string =>
  `tasks:\n  - {name: Take, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs}, data: {a: ours}}, force: ${force}}\n`

describe('force on patch', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await theirs({ a: 'theirs', b: 'theirs' })
  })
  afterEach(() => sandbox.stop())

  const theirs = (data: JsonObject): Promise<unknown> =>
    sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' }, data })
  const data = async (): Promise<unknown> => (await sandbox.get(CONFIG_MAP, 'theirs'))?.data
  const begin = async (force: boolean) => {
    const operator = sandbox.run(await projectOf({ widget: role(force) }))
    await sandbox.widget('w')
    return operator
  }

  it('reports the conflict without it, and takes the field with it', async () => {
    const operator = await begin(false)
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.contain('"person"')
    operator.replaceProject(await projectOf({ widget: role(true) }))
    await sandbox.ready('Ready')
    expect(await data()).to.deep.equal({ a: 'ours', b: 'theirs' })
  })

  it('takes the field back, until that is a fight', async () => {
    await begin(true)
    await sandbox.ready('Ready')
    await sandbox.settled()
    for (let round = 0; round < 5; round++) {
      await sandbox.edit(CONFIG_MAP, 'theirs', { data: { a: `round ${round}` } })
      await sandbox.until(data, (seen) => (seen as JsonObject).a === 'ours')
      await sandbox.settled()
    }
    await sandbox.edit(CONFIG_MAP, 'theirs', { data: { a: 'last' } })
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.equal(
      'task "Take": cannot keep `data.a` of ConfigMap default/theirs: another client keeps taking it back (it is left alone for a while) (roles/widget/role.yaml:2)',
    )
    expect(await sandbox.condition('Stalled')).to.include({ reason: 'DriftFight' })
  })

  it('lets go of the field with the resource', async () => {
    await begin(true)
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect(await data()).to.deep.equal({ b: 'theirs' })
  })

  it('writes nothing after a restart', async () => {
    await begin(true)
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: role(true) }))
    expect(await sandbox.settled()).to.deep.equal([])
  })
})
