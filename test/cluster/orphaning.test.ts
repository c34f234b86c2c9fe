import { join } from 'node:path'
import { kill } from 'node:process'
import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { PropagationPolicy } from '../../src/core/kube/propagation.ts'
import type { ClusterDriver } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { gone, ready } from '../scenarios/objects.ts'
import { startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt } from '../support/running-operator.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const KEEPER = { group: 'keeper.example.com', version: 'v1', kind: 'Keeper' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }

const FILES = {
  'watches.yaml':
    '- {group: keeper.example.com, version: v1, kind: Keeper, role: keeper, allowedNamespaces: {write: ["*"]}}\n',
  'roles/keeper/role.yaml': `tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: near}}
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: far, namespace: "\${spec.far}"}}
`,
  'roles/keeper/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: keepers.keeper.example.com }
spec:
  group: keeper.example.com
  names: { kind: Keeper, plural: keepers, singular: keeper, listKind: KeeperList }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
`,
}

describe('a deletion beside a garbage collector of its own', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let cluster: TestCluster
  let driver: ClusterDriver
  let namespace: string
  let far: string
  let operator: RolebookProcess

  before(async function () {
    writeFiles(folder.path, FILES)
    const paths = { watchesFile: join(folder.path, 'watches.yaml'), rolesPath: join(folder.path, 'roles') }
    cluster = await startTestCluster(this, await projectAt(paths))
  })
  beforeEach(async () => {
    namespace = await cluster.newNamespace('orphaning')
    far = await cluster.newNamespace('far')
    driver = httpDriver(cluster.connection.client, namespace)
    start()
    await driver.apply({ apiVersion: 'keeper.example.com/v1', kind: 'Keeper', metadata: { name: 'k' }, spec: { far } })
    await driver.until(KEEPER, 'k', ready)
  })
  afterEach(async () => void (await operator.stop('SIGKILL')))
  after(async () => {
    await cluster.stop()
    folder.remove()
  })

  function start(): void {
    const args = ['run', '--kubeconfig', cluster.kubeconfig, '--namespace', namespace, '--no-leader-elect']
    operator = new RolebookProcess(args, { cwd: folder.path })
  }

  /** Returns when the garbage collector has done its part, which it does in its own time. */
  async function remove(propagationPolicy: PropagationPolicy): Promise<void> {
    await cluster.connection.client.delete(KEEPER, { namespace, name: 'k' }, { propagationPolicy })
    const holds = (keeper: KubeObject | undefined): boolean => !keeper?.metadata.finalizers?.includes('orphan')
    await driver.until(KEEPER, 'k', { what: 'is left by the garbage collector', holds })
  }

  async function expectChildren(): Promise<void> {
    await driver.until(KEEPER, 'k', gone)
    const child = await cluster.connection.client.get(CONFIG_MAP, { namespace: far, name: 'far' })
    expect(child?.metadata).to.include({ name: 'far' })
    expect([child?.metadata.labels, child?.metadata.deletionTimestamp]).to.deep.equal([undefined, undefined])
  }
  const near = (): Promise<KubeObject | undefined> => driver.read(CONFIG_MAP, 'near')
  const kept = async (): Promise<number> => {
    const { items } = await cluster.connection.client.list(EVENT, { namespace })
    return items.filter(({ reason }) => reason === 'ChildrenKept').length
  }

  it('keeps the children with --cascade=orphan while the operator stands still', async () => {
    kill(operator.pid, 'SIGSTOP')
    await remove('Orphan')
    kill(operator.pid, 'SIGCONT')
    await expectChildren()
    expect((await near())?.metadata.ownerReferences).to.equal(undefined)
    expect(await kept()).to.equal(0)
  })

  it('keeps them while the operator is down', async () => {
    await operator.stop('SIGKILL')
    await remove('Orphan')
    start()
    await expectChildren()
    expect((await near())?.metadata.ownerReferences).to.equal(undefined)
    expect(await kept()).to.equal(0)
  })

  it('keeps those that it cannot reach, and says so, where nothing shows what was wanted', async () => {
    await operator.stop('SIGKILL')
    await remove('Background')
    start()
    await expectChildren()
    await driver.until(CONFIG_MAP, 'near', gone)
    while ((await kept()) === 0);
  })
})
