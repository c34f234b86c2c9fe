import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { AuditedRequest } from '../control-plane/audit-log.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { RightsExercise } from '../rights/exercise.ts'
import { grantedRights, isUsed } from '../rights/granted-rights.ts'
import { KIND } from '../scenarios/cluster-driver.ts'
import { startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { projectAt } from '../support/running-operator.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

describe('deploy/ on a real server', function () {
  this.timeout(400_000)
  let plane: ControlPlane
  let cluster: TestCluster
  let requests: readonly AuditedRequest[] = []
  const kubectl = (...args: readonly string[]): string =>
    execFileSync(plane.kubectl, ['--kubeconfig', plane.kubeconfig, ...args], { encoding: 'utf8' })

  before(async function () {
    plane = await sharedControlPlane(this)
    cluster = await startTestCluster(this, await projectAt())
    kubectl('apply', '--server-side', '--force-conflicts', '-k', 'deploy/')
    const audit = plane.auditLog()
    await new RightsExercise(plane, cluster).run()
    requests = audit.take()
  })
  after(async () => {
    await cluster?.stop()
  })

  it('is created whole, and the server has nothing to add or to complain of', () => {
    const { resources } = parse(readFileSync('deploy/kustomization.yaml', 'utf8')) as { resources: string[] }
    const objects = resources.flatMap((file) =>
      parseAllDocuments(readFileSync(`deploy/${file}`, 'utf8')).map((one) => one.toJS() as KubeObject),
    )
    for (const { kind, metadata } of objects) {
      const where = metadata.namespace === undefined ? [] : ['--namespace', metadata.namespace]
      expect(kubectl(...where, 'get', kind, metadata.name ?? '', '--output', 'name')).to.include(metadata.name)
    }
    const again = kubectl('apply', '--server-side', '--dry-run=server', '--validate=strict', '-k', 'deploy/')
    expect(again.trim().split('\n')).to.have.length(objects.length)
  })

  it('has a Deployment whose Pods the restricted level of Pod Security admits', async () => {
    const namespace = 'rolebook-system'
    kubectl('--namespace', namespace, 'rollout', 'status', 'deployment/rolebook', '--timeout=60s')
    const pods = await cluster.connection.client.list(KIND.pod, { namespace })
    expect(pods.items).to.have.length(2)
  })

  it('grants enough: the server refuses the operator nothing', () => {
    expect(requests.filter(({ status }) => [401, 403].includes(status))).to.deep.equal([])
    expect(requests).to.have.length.above(200)
  })

  it('grants no more than the operator uses', () => {
    const spare = grantedRights().filter((right) => !requests.some((request) => isUsed(right, request)))
    // An admission plugin asks for it, without a request of its own: the next test shows it.
    const unexplained = spare.filter(({ resource }) => !resource.endsWith('/finalizers'))
    expect(unexplained.map(({ text }) => text)).to.deep.equal([])
  })

  it('lets the operator hold back the deletion of each kind of owner, which the server checks', () => {
    const account = 'system:serviceaccount:rolebook-system:rolebook'
    const owners = requests.filter(({ verb, status }) => verb === 'patch' && status === 201)
    expect(owners.length).to.be.above(20)
    const finalizers = grantedRights().filter(({ resource }) => resource.endsWith('/finalizers'))
    expect(finalizers.map(({ verb }) => verb)).to.deep.equal(finalizers.map(() => 'update'))
    for (const { group, resource } of finalizers) {
      const [plural, subresource] = resource.split('/')
      const args = ['auth', 'can-i', 'update', `${plural}.${group}`, `--subresource=${subresource}`, '--as', account]
      expect(kubectl(...args).trim()).to.equal('yes')
    }
  })
})
