import { expect } from 'chai'
import { long } from '../support/long-tests.ts'
import { KIND } from './cluster-driver.ts'
import { at, has, ready } from './objects.ts'
import { OwnProject, THING, thing } from './own-project.ts'

const ROLE = `
tasks:
  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {tier: "\${spec.tier}"}}
      spec:
        replicas: 1
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: "web:1"}]}
    readyWhen: true
    handOver: [spec.replicas]
`

describe('a field is handed over', function () {
  this.timeout(300_000)
  let own: OwnProject
  before(async function () {
    own = await OwnProject.start(this)
  })
  after(() => own?.stop())

  long.it('to who scales the Deployment, over other changes and a restart, until the role takes it back', async () => {
    const { driver, namespace } = await own.play(ROLE)
    await driver.apply(thing('one', { tier: 'a' }))
    await driver.until(THING, 'one', ready)
    await driver.until(KIND.deployment, 'web', has(['spec', 'replicas'], 1))
    await own.settled()

    await driver.scale(KIND.deployment, 'web', 3)
    await driver.until(KIND.deployment, 'web', has(['status', 'replicas'], 3))
    expect(await own.settled(), 'after the scale').to.deep.equal({})
    await driver.patch(THING, 'one', { spec: { tier: 'b' } })
    const changed = await driver.until(KIND.deployment, 'web', has(['metadata', 'labels', 'tier'], 'b'))
    expect(at(changed, 'spec', 'replicas')).to.equal(3)
    await driver.until(THING, 'one', ready)
    expect((await own.settled()).deployments).to.equal(1)

    await own.run(ROLE, namespace)
    expect(await own.settled(), 'after a restart').to.deep.equal({})
    await own.reload(ROLE.replace('[spec.replicas]', '[]'))
    await driver.until(KIND.deployment, 'web', has(['spec', 'replicas'], 1))
  })
})
