import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import type { SandboxCluster } from '../../src/cli/sandbox-cluster.ts'
import { type Connection, connect } from '../../src/kube-client/connect.ts'
import { RolebookProcess, temporaryFolder } from '../support/rolebook-process.ts'
import {
  newNamespace,
  projectAt,
  type RunningOperator,
  startCluster,
  startOperator,
} from '../support/running-operator.ts'
import { appServiceScenarios, webServiceScenarios } from './appservice-scenarios.ts'
import type { ClusterDriver } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { kubectlDriver } from './kubectl-driver.ts'
import { maintPageScenarios } from './maintpage-scenarios.ts'
import { memcachedAlphaScenarios, memcachedScenarios } from './memcached-scenarios.ts'
import type { Scenario } from './scenario.ts'

const SUITES: Readonly<Record<string, readonly Scenario[]>> = {
  MaintPage: maintPageScenarios,
  AppService: appServiceScenarios,
  WebService: webServiceScenarios,
  Memcached: memcachedScenarios,
  'Memcached of cache.my.domain': memcachedAlphaScenarios,
}

function defineScenarios(driverFor: (prefix: string) => Promise<ClusterDriver>): void {
  for (const [operator, scenarios] of Object.entries(SUITES)) {
    describe(operator, () => {
      for (const { name, run } of scenarios) it(name, async () => run(await driverFor('scenario')))
    })
  }
}

describe('scenarios, in one process', function () {
  this.timeout(60_000)
  let cluster: SandboxCluster
  let operator: RunningOperator
  before(async () => {
    const project = await projectAt()
    cluster = await startCluster(project)
    operator = startOperator(cluster, project)
  })
  after(async () => {
    await operator?.stop()
    await cluster?.stop()
  })
  defineScenarios(async (prefix) => {
    const { client } = cluster.connection
    return httpDriver(client, await newNamespace(client, prefix))
  })
})

const kubectl = findKubectl()

describe(`scenarios, against the running program, ${kubectl ? 'with kubectl' : 'over HTTP: there is no kubectl'}`, function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const kubeconfig = join(folder.path, 'kubeconfig')
  let program: RolebookProcess
  let connection: Connection
  before(async () => {
    program = new RolebookProcess(['sandbox', '--kubeconfig', kubeconfig])
    await program.until('it listens', ({ stdout }) => stdout.includes('export KUBECONFIG'))
    connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
  })
  after(async () => {
    await connection?.close()
    await program?.stop()
    folder.remove()
  })
  defineScenarios(async (prefix) => {
    const namespace = await newNamespace(connection.client, `${prefix}-cli`)
    return kubectl ? kubectlDriver({ kubectl, kubeconfig, namespace }) : httpDriver(connection.client, namespace)
  })
})

const realCluster = env.ROLEBOOK_TEST_KUBECONFIG
/** The operator's own, with the rights of `deploy/rbac.yaml` and no more. */
const operatorsKubeconfig = env.ROLEBOOK_TEST_OPERATOR_KUBECONFIG ?? realCluster

if (realCluster !== undefined) {
  describe('scenarios, on a real cluster', function () {
    this.timeout(120_000)
    let connection: Connection
    let operatorSide: Connection
    let operator: RunningOperator
    before(async () => {
      const project = await projectAt()
      connection = await connect({ kubeconfig: realCluster, clock: systemClock, logger: nopLogger, userAgent: 'test' })
      for (const crd of project.crds) await connection.client.apply(crd, { fieldManager: 'test', force: true })
      const own = {
        kubeconfig: operatorsKubeconfig,
        clock: systemClock,
        logger: nopLogger,
        userAgent: 'rolebook-operator',
      }
      operatorSide = await connect(own)
      operator = startOperator({ connection: operatorSide }, project, {
        namespace: operatorSide.namespace ?? 'default',
      })
    })
    after(async () => {
      await operator?.stop()
      await operatorSide?.close()
      await connection?.close()
    })
    defineScenarios(async (prefix) => {
      return httpDriver(
        connection.client,
        await newNamespace(connection.client, `${prefix}-${Date.now().toString(36)}`),
      )
    })
  })
}

/** `KUBECTL`, else the one on the path, else none. */
function findKubectl(): string | undefined {
  const program = env.KUBECTL ?? 'kubectl'
  try {
    execFileSync(program, ['version', '--client'], { stdio: 'ignore' })
    return program
  } catch {
    return undefined
  }
}
