import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { long } from '../support/long-tests.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { appServiceScenarios, webServiceScenarios } from './appservice-scenarios.ts'
import type { ClusterDriver } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { kubectlDriver } from './kubectl-driver.ts'
import { maintPageScenarios } from './maintpage-scenarios.ts'
import { memcachedAlphaScenarios, memcachedScenarios } from './memcached-scenarios.ts'
import type { Scenario } from './scenario.ts'
import { isRealCluster, openTestCluster, startTestCluster, type TestCluster } from './test-cluster.ts'
import { tomcatScenarios } from './tomcat-scenarios.ts'

const SUITES: Readonly<Record<string, readonly Scenario[]>> = {
  MaintPage: maintPageScenarios,
  AppService: appServiceScenarios,
  WebService: webServiceScenarios,
  Memcached: memcachedScenarios,
  'Memcached of cache.my.domain': memcachedAlphaScenarios,
  Tomcat: tomcatScenarios,
}

/** The same scenarios again, of roles that came from another operator. */
const REPEATED: ReadonlySet<string> = new Set(['WebService', 'Memcached of cache.my.domain'])

/** A process for each step takes its time: on a sandbox, the first scenario of each kind stands for all. */
function shortForm(operator: string, scenarios: readonly Scenario[]): readonly Scenario[] {
  if (isRealCluster) return scenarios
  return REPEATED.has(operator) ? [] : scenarios.slice(0, 1)
}

function defineScenarios(
  driverFor: (prefix: string) => Promise<ClusterDriver>,
  select: typeof shortForm = (_operator, scenarios) => scenarios,
): void {
  for (const [operator, all] of Object.entries(SUITES)) {
    const scenarios = select(operator, all)
    if (scenarios.length === 0) continue
    describe(operator, () => {
      for (const { name, run } of scenarios) it(name, async () => run(await driverFor('scenario')))
    })
  }
}

describe('scenarios, in one process', function () {
  this.timeout(300_000)
  let cluster: TestCluster
  let operator: RunningOperator
  before(async function () {
    const project = await projectAt()
    cluster = await startTestCluster(this, project)
    operator = startOperator({ connection: await cluster.connectOperator() }, project)
  })
  after(async () => {
    await operator?.stop()
    await cluster?.stop()
  })
  defineScenarios(async (prefix) => httpDriver(cluster.connection.client, await cluster.newNamespace(prefix)))
})

const kubectl = findKubectl()
const means = kubectl || isRealCluster ? 'with kubectl' : 'over HTTP: there is no kubectl'

long.describe(`scenarios, against the running program, ${means}`, function () {
  this.timeout(300_000)
  let cluster: TestCluster
  let program: RolebookProcess
  before(async function () {
    if (isRealCluster) {
      cluster = await startTestCluster(this, await projectAt())
      program = new RolebookProcess(['run', '--kubeconfig', cluster.operatorKubeconfig])
      return
    }
    const folder = temporaryFolder()
    const kubeconfig = join(folder.path, 'kubeconfig')
    program = new RolebookProcess(['sandbox', '--kubeconfig', kubeconfig])
    await program.until('it listens', ({ stdout }) => stdout.includes('export KUBECONFIG'))
    cluster = await openTestCluster({ kubeconfig, operatorKubeconfig: kubeconfig, stop: async () => folder.remove() })
  })
  after(async () => {
    await cluster?.stop()
    await program?.stop()
  })
  const driverFor = async (prefix: string): Promise<ClusterDriver> => {
    const namespace = await cluster.newNamespace(`${prefix}-cli`)
    const { kubeconfig, connection } = cluster
    const path = kubectl ?? cluster.kubectl
    return path ? kubectlDriver({ kubectl: path, kubeconfig, namespace }) : httpDriver(connection.client, namespace)
  }
  defineScenarios(driverFor, shortForm)
})

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
