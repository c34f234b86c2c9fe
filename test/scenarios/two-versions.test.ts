import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { has, newObject, ready } from './objects.ts'
import { startTestCluster, type TestCluster } from './test-cluster.ts'

const NEW = KIND.memcached
const OLD = { ...KIND.memcached, version: 'v1alpha1' }

const WATCHES = `
- { group: cache.example.com, version: v1, kind: Memcached, role: memcached, selector: { matchLabels: { generation: new } } }
- { group: cache.example.com, version: v1alpha1, kind: Memcached, role: memcached-old, selector: { matchLabels: { generation: old } } }
`

const ofGeneration = (object: KubeObject, generation: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { generation } },
})

const hasImage = (image: string) => has(['spec', 'template', 'spec', 'containers', 0, 'image'], image)

describe('two versions of one CRD, served by two entries with disjoint selectors', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let cluster: TestCluster
  let operator: RunningOperator
  let driver: ClusterDriver

  before(async function () {
    const project = await projectAt(writeProject(folder.path))
    cluster = await startTestCluster(this, project)
    operator = startOperator({ connection: await cluster.connectOperator() }, project)
    driver = httpDriver(cluster.connection.client, await cluster.newNamespace('versions'))
  })
  after(async () => {
    await operator?.stop()
    await cluster?.stop()
    folder.remove()
  })

  it('has each resource served by the entry that selects it, whichever version it was made with', async () => {
    await driver.apply(ofGeneration(newObject(NEW, 'one', { size: 1 }), 'new'))
    await driver.apply(ofGeneration(newObject(OLD, 'two', { size: 1 }), 'old'))
    await driver.apply(ofGeneration(newObject(OLD, 'three', { size: 1 }), 'new'))
    await driver.until(KIND.deployment, 'one', hasImage('memcached:1.4.36-alpine'))
    await driver.until(KIND.deployment, 'two', hasImage('memcached:1.3-old'))
    await driver.until(KIND.deployment, 'three', hasImage('memcached:1.4.36-alpine'))
    for (const name of ['one', 'two', 'three']) await driver.until(NEW, name, ready)
  })

  it('hands a resource over with its children when its labels move it to the other entry', async () => {
    const before = await driver.read(KIND.deployment, 'one')
    await driver.patch(NEW, 'one', { metadata: { labels: { generation: 'old' } } })
    const after = await driver.until(KIND.deployment, 'one', hasImage('memcached:1.3-old'))
    expect(after?.metadata.uid, 'the Deployment stays the same object').to.equal(before?.metadata.uid)
    await driver.until(NEW, 'one', ready)
  })
})

/** The role of this repository as it is, and an older one beside it; the CRD serves both versions. */
function writeProject(path: string): { watchesFile: string; rolesPath: string } {
  const rolesPath = join(path, 'roles')
  for (const role of ['memcached', 'memcached-old'])
    cpSync('roles/memcached', join(rolesPath, role), { recursive: true })
  const older = join(rolesPath, 'memcached-old/role.yaml')
  writeFileSync(older, readFileSync(older, 'utf8').replace('1.4.36-alpine', '1.3-old'))
  for (const role of ['memcached', 'memcached-old']) {
    const crd = join(rolesPath, role, 'crd.yaml')
    const text = readFileSync(crd, 'utf8')
    const version = text.slice(text.indexOf('    - name: v1\n'))
    writeFileSync(
      crd,
      text + version.replace('name: v1\n', 'name: v1alpha1\n').replace('storage: true', 'storage: false'),
    )
  }
  const watchesFile = join(path, 'watches.yaml')
  writeFileSync(watchesFile, WATCHES.trimStart())
  return { watchesFile, rolesPath }
}
