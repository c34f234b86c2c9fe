import { expect } from 'chai'
import { long } from '../support/long-tests.ts'
import { KIND } from './cluster-driver.ts'
import { at, has, ready } from './objects.ts'
import { OwnProject, THING, thing } from './own-project.ts'

const ROLE = `
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: "\${spec.a}", b: "1"}}
    drift: once
`

describe('an object is applied once', function () {
  this.timeout(300_000)
  let own: OwnProject
  before(async function () {
    own = await OwnProject.start(this)
  })
  after(() => own?.stop())

  long.it('and left to people, over a restart, until the role wants something else or it is gone', async () => {
    const { driver, namespace } = await own.play(ROLE)
    await driver.apply(thing('one', { a: '1' }))
    await driver.until(THING, 'one', ready)
    await own.settled()

    await driver.patch(KIND.configMap, 'settings', { data: { b: '2' } })
    await own.run(ROLE, namespace)
    expect(await own.settled(), 'after an edit and a restart').to.deep.equal({})
    expect(at(await driver.read(KIND.configMap, 'settings'), 'data')).to.deep.equal({ a: '1', b: '2' })
    await driver.patch(THING, 'one', { spec: { a: '9' } })
    await driver.until(KIND.configMap, 'settings', has(['data'], { a: '9', b: '1' }))
    await driver.remove(KIND.configMap, 'settings')
    await driver.until(KIND.configMap, 'settings', has(['data'], { a: '9', b: '1' }))
  })
})
