import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { long } from '../support/long-tests.ts'
import { at, has, notReady, ready } from './objects.ts'
import { OwnProject, THING, thing } from './own-project.ts'

const JOB = { group: 'batch', version: 'v1', kind: 'Job' } as const

const role = (onImmutable: string): string => `
tasks:
  - ensure:
      apiVersion: batch/v1
      kind: Job
      metadata: {name: work}
      spec:
        template:
          spec: {restartPolicy: Never, containers: [{name: work, image: "\${spec.image}"}]}
    readyWhen: true
    onImmutable: ${onImmutable}
`

describe('a field that never changes is to change', function () {
  this.timeout(300_000)
  let own: OwnProject
  before(async function () {
    own = await OwnProject.start(this)
  })
  after(() => own?.stop())

  long.it('fail: the refusal is reported; recreate: another object takes its place', async () => {
    const { driver } = await own.play(role('fail'))
    await driver.apply(thing('one', { image: 'work:1' }))
    await driver.until(THING, 'one', ready)
    const before = (await driver.read(JOB, 'work')) as KubeObject
    await driver.patch(THING, 'one', { spec: { image: 'work:2' } })
    await driver.until(THING, 'one', notReady('Invalid'))
    expect((await driver.read(JOB, 'work'))?.metadata.uid).to.equal(before.metadata.uid)

    await own.reload(role('recreate'))
    const image = ['spec', 'template', 'spec', 'containers', 0, 'image'] as const
    const after = await driver.until(JOB, 'work', has(image, 'work:2'))
    expect(after?.metadata.uid).to.not.equal(before.metadata.uid)
    await driver.until(THING, 'one', ready)

    await driver.patch(THING, 'one', { spec: { image: '' } })
    await driver.until(THING, 'one', notReady('Invalid'))
    const kept = await driver.read(JOB, 'work')
    expect(kept?.metadata.uid, 'the server would take no new one').to.equal(after?.metadata.uid)
    expect(at(kept, ...image)).to.equal('work:2')
  })
})
