import { expect } from 'chai'
import { long } from '../support/long-tests.ts'
import { KIND } from './cluster-driver.ts'
import { conditionOf, gone, has, ready, there } from './objects.ts'
import { OwnProject, THING, thing } from './own-project.ts'

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' } as const
const map = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`

/** Deletion waits until a user says in the object that it made that its work is done. */
const ROLE = `
tasks:
  - {ensure: ${map('child')}}
finalize:
  - name: Clean up
    ensure: ${map('cleanup')}
    readyWhen: \${$self.data.done = 'yes'}
    waitReady: true
`

const keptBy = (task: string) => ({
  what: `is kept by task ${task}`,
  holds: (object: Parameters<typeof conditionOf>[0]) => {
    const condition = conditionOf(object, 'Ready')
    return condition?.reason === 'Deleting' && condition.message.startsWith(`task "${task}"`)
  },
})

describe('a resource with finalize tasks is deleted', function () {
  this.timeout(300_000)
  let own: OwnProject
  before(async function () {
    own = await OwnProject.start(this)
  })
  after(() => own?.stop())

  long.it('is kept until they are done, also over a restart; then all that was made goes', async () => {
    const { driver, namespace, client } = await own.play(ROLE)
    await driver.apply(thing('one'))
    await driver.until(THING, 'one', ready)
    const { 'things/status': _progress, ...made } = await own.settled()
    expect(made).to.deep.equal({ things: 1, configmaps: 1 })

    await client.delete(THING, { namespace, name: 'one' }, { propagationPolicy: 'Background' })
    await driver.until(THING, 'one', keptBy('Clean up'))
    await driver.until(KIND.configMap, 'cleanup', there)
    expect(await driver.read(KIND.configMap, 'child'), 'the child is still there').to.not.equal(undefined)
    const kept = await own.settled()
    expect(kept.configmaps).to.equal(1)
    await own.run(ROLE, namespace)
    expect(await own.settled(), 'after a restart').to.deep.equal({})

    await driver.patch(KIND.configMap, 'cleanup', { data: { done: 'yes' } })
    await driver.until(THING, 'one', gone)
    for (const name of ['child', 'cleanup']) await driver.until(KIND.configMap, name, gone)
    expect(await own.settled()).to.deep.equal({ things: 2, configmaps: 1 })
  })

  it('goes with its namespace, which takes nothing new', async () => {
    const { driver, namespace, client } = await own.play(ROLE)
    await driver.apply(thing('one'))
    await driver.until(THING, 'one', ready)
    await client.delete(NAMESPACE, { namespace: '', name: namespace })
    await driver.until(THING, 'one', gone)
  })

  it('gets and loses its finalize tasks while the operator runs', async () => {
    const without = ROLE.slice(0, ROLE.indexOf('finalize:'))
    const { driver, namespace, client } = await own.play(without)
    await driver.apply(thing('one'))
    await driver.until(THING, 'one', ready)
    await own.reload(ROLE)
    await driver.until(THING, 'one', has(['metadata', 'finalizers'], ['rolebook.dev/finalizer']))
    await client.delete(THING, { namespace, name: 'one' }, { propagationPolicy: 'Background' })
    await driver.until(THING, 'one', keptBy('Clean up'))
    await own.reload(without)
    await driver.until(THING, 'one', gone)
    await driver.until(KIND.configMap, 'cleanup', gone)
  })
})
