import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { isForbidden } from '../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { offlineKindNames } from '../../src/rolebook/generate/kind-names.ts'
import { neededRights } from '../../src/rolebook/generate/needed-rights.ts'
import { rbacObjects } from '../../src/rolebook/generate/rbac.ts'
import type { Right } from '../../src/rolebook/generate/right.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { AUDITED_NAMESPACE, type AuditedRequest } from '../control-plane/audit-log.ts'
import { appServiceScenarios } from '../scenarios/appservice-scenarios.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { maintPageScenarios } from '../scenarios/maintpage-scenarios.ts'
import { memcachedScenarios } from '../scenarios/memcached-scenarios.ts'
import { startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const SCENARIOS = [...maintPageScenarios, ...memcachedScenarios.slice(0, 2), ...appServiceScenarios.slice(0, 2)]
const ACCOUNT = { name: 'rolebook-confined', namespace: AUDITED_NAMESPACE }

describe('an operator that is confined to namespaces', function () {
  this.timeout(300_000)
  let cluster: TestCluster
  let connection: Connection
  let operator: RunningOperator
  let rights: readonly Right[]
  let requests: readonly AuditedRequest[] = []

  before(async function () {
    const plane = await sharedControlPlane(this)
    cluster = await startTestCluster(this, await projectAt())
    const namespaces: string[] = []
    for (const _ of SCENARIOS) namespaces.push(await cluster.newNamespace('confined'))
    const project = await confinedTo(namespaces)
    const names = offlineKindNames(project.crds as readonly object[] as [], loadBuiltinSchemas())
    rights = neededRights(project, { namespace: ACCOUNT.namespace, names })
    for (const object of rbacObjects(rights, ACCOUNT)) {
      const options = { fieldManager: 'test', force: true }
      await cluster.connection.client.apply(object as object as KubeObject, options)
    }
    const kubeconfig = plane.serviceAccountKubeconfig(ACCOUNT.namespace, ACCOUNT.name)
    connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'rolebook-operator' })
    await untilOwnable(connection.client, namespaces[0] as string)
    const audit = plane.auditLog()
    operator = startOperator({ connection }, project)
    for (const [index, { run }] of SCENARIOS.entries()) {
      await run(httpDriver(cluster.connection.client, namespaces[index] as string))
    }
    await operator.stop()
    requests = audit.take()
  })
  after(async () => {
    await operator?.stop()
    await connection?.close()
    await cluster?.stop()
  })

  it('needs no right everywhere', () => {
    expect(rights.filter(({ namespace }) => namespace === undefined)).to.deep.equal([])
    expect(rights.length).to.be.above(100)
  })

  it('does all that is asked of it with Roles in these namespaces, and is refused nothing', () => {
    expect(requests.filter(({ status }) => [401, 403].includes(status))).to.deep.equal([])
    expect(requests).to.have.length.above(50)
  })
})

/**
 * Waits until the server lets the account own an object by a new kind. Its admission looks up kinds of owners in a list that it
 * reads anew every 30 s, and forbids `blockOwnerDeletion` until then.
 */
async function untilOwnable(client: KubeClient, namespace: string): Promise<void> {
  const owner = { apiVersion: 'maintpage.example.com/v1alpha1', kind: 'MaintPage', name: 'probe', uid: 'probe' }
  const probe = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'probe', namespace, ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
    spec: { containers: [{ name: 'probe', image: 'probe' }] },
  }
  for (;;) {
    try {
      await client.apply(probe, { fieldManager: 'test', force: true, dryRun: true })
      return
    } catch (error) {
      if (!isForbidden(error)) throw error
    }
  }
}

async function confinedTo(namespaces: readonly string[]): Promise<Project> {
  const places = { watchesFile: 'watches.yaml', rolesPath: 'roles' }
  const result = await loadProject({ ...places, environment: {}, kinds: builtinTaskKinds, namespaces })
  return result.project as Project
}
