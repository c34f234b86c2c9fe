import { expect } from 'chai'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { at, gone, has, newObject, notReady, ready } from '../scenarios/objects.ts'
import { installCrd } from '../support/install-crd.ts'
import { FaultBench, page } from './fault-bench.ts'
import { requireBinaries } from './shared-control-plane.ts'

interface Fault {
  readonly name: string
  strike(bench: FaultBench): Promise<void>
}

/** Each strikes while the operator is at work on an edit. */
const FAULTS: readonly Fault[] = [
  { name: 'the API server is restarted', strike: ({ plane }) => plane.restartApiServer() },
  { name: 'the API server is killed', strike: ({ plane }) => plane.restartApiServer('SIGKILL') },
  { name: 'etcd is restarted', strike: ({ plane }) => plane.restartEtcd() },
  { name: 'etcd is killed', strike: ({ plane }) => plane.restartEtcd('SIGKILL') },
  {
    name: 'the past is compacted, and the API server forgets it, too',
    async strike({ plane }) {
      await plane.compact()
      await plane.restartApiServer('SIGKILL')
    },
  },
  {
    name: 'no controllers run for a while',
    async strike(bench) {
      await bench.plane.halt('kube-controller-manager')
      await bench.edit(false)
      await bench.idle()
      const { length } = bench.writes()
      bench.plane.resume('kube-controller-manager')
      expect(length, 'writes while nothing moves').to.be.below(20)
    },
  },
]

/** As stricter clusters do: only who may set finalizers on an owner may block its deletion. */
const ASKS_FOR_FINALIZERS = '--enable-admission-plugins=OwnerReferencesPermissionEnforcement'

describe('the operator goes on', function () {
  this.timeout(300_000)
  let plane: ControlPlane
  let bench: FaultBench

  before(async function () {
    requireBinaries(this)
    plane = await ControlPlane.start({ 'kube-apiserver': [ASKS_FOR_FINALIZERS] })
    bench = await FaultBench.start(plane)
    await bench.begin()
    await bench.expectHealth()
  })
  after(async () => {
    await bench?.stop()
    await plane?.stop()
  })

  for (const { name, strike } of FAULTS) {
    it(`when ${name}`, async () => {
      await bench.edit(true)
      await strike(bench)
      await bench.expectHealth()
    })
  }

  it('when the data of etcd is restored to what it was: what came later is forgotten, and versions go back', async () => {
    const { driver } = bench
    await bench.edit(false)
    await bench.converged(false)
    await plane.saveEtcd()
    await bench.expectHealth()
    const later = newObject(KIND.memcachedAlpha, 'later', { size: 1 })
    await driver.apply(later)
    await driver.until(KIND.memcachedAlpha, 'later', ready)

    await plane.restoreEtcd()
    await driver.until(KIND.deployment, 'later', gone)
    await bench.expectHealth()
    await driver.apply(later)
    await driver.until(KIND.memcachedAlpha, 'later', ready)
    await driver.remove(KIND.memcachedAlpha, 'later')
    await driver.until(KIND.deployment, 'later', gone)
  })

  it('when the CRD of a watched kind is removed and made anew', async () => {
    const { driver } = bench
    const crd = bench.crdOf('MaintPage')
    bench.kubectl('delete', 'crd', String(crd.metadata.name))
    await driver.until(KIND.deployment, 'httpd', gone)
    await driver.apply(newObject(KIND.memcached, 'meanwhile', { size: 1 }))
    await driver.until(KIND.memcached, 'meanwhile', ready)
    await driver.remove(KIND.memcached, 'meanwhile')
    await driver.until(KIND.deployment, 'meanwhile', gone)

    await installCrd(bench.cluster.connection, crd)
    await bench.edit(false)
    await bench.expectHealth()
  })

  it('when a namespace is deleted with all that is in it, and made anew', async () => {
    const { client } = bench.cluster.connection
    const name = await bench.cluster.newNamespace('doomed')
    const doomed = httpDriver(client, name)
    await doomed.apply(page(true))
    await doomed.apply(newObject(KIND.memcached, 'cache', { size: 3 }))
    await doomed.until(KIND.memcached, 'cache', ready)
    await doomed.until(KIND.maintPage, 'page', ready)
    bench.writes()
    bench.kubectl('delete', 'namespace', name)
    await bench.idle()
    const refused = bench.writes().filter((write) => write.endsWith(' 403'))
    expect(refused, 'objects made in a namespace that is going').to.have.length.below(10)
    await bench.expectHealth()

    bench.kubectl('create', 'namespace', name)
    await bench.untilServiceAccount(name)
    await doomed.apply(page(false))
    await doomed.until(KIND.maintPage, 'page', ready)
    const service = await doomed.until(KIND.service, 'httpd', has(['spec', 'selector'], { app: 'httpd' }))
    expect(at(service, 'metadata', 'ownerReferences')).to.have.length(1)
    await bench.expectRest()
  })

  it('when a right is taken from it, and given back', async () => {
    const { driver } = bench
    const role = JSON.parse(bench.kubectl('get', 'clusterrole', 'rolebook-system:rolebook', '-o', 'json'))
    const isSpared = ({ resources }: { resources: string[] }) => !resources.some((one) => one.endsWith('/finalizers'))
    const patch = JSON.stringify({ rules: role.rules.filter(isSpared) })
    bench.kubectl('patch', 'clusterrole', 'rolebook-system:rolebook', '--type=merge', '-p', patch)
    await driver.apply(newObject(KIND.memcached, 'barred', { size: 1 }))
    await driver.until(KIND.memcached, 'barred', notReady('Forbidden'))

    bench.kubectl('apply', '-f', 'deploy/rbac.yaml')
    await driver.until(KIND.memcached, 'barred', ready)
    await driver.remove(KIND.memcached, 'barred')
    await driver.until(KIND.deployment, 'barred', gone)
    await bench.expectHealth()
  })

  it('when a resource is made in the same breath as its namespace', async () => {
    const name = 'breath'
    const { client } = bench.cluster.connection
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'test' })
    const driver = httpDriver(client, name)
    await driver.apply(page(false))
    await driver.until(KIND.maintPage, 'page', ready)
    bench.kubectl('delete', 'namespace', name)
  })
})
