import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import { keyOf } from '../../src/core/kube/object.ts'
import { explainPath, PROOF_HEADER, proofOf } from '../../src/rolebook/cli/explain/explain-route.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { appServiceScenarios, webServiceScenarios } from '../scenarios/appservice-scenarios.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { maintPageScenarios } from '../scenarios/maintpage-scenarios.ts'
import { memcachedAlphaScenarios, memcachedScenarios } from '../scenarios/memcached-scenarios.ts'
import { gone, has, newObject, ready } from '../scenarios/objects.ts'
import type { TestCluster } from '../scenarios/test-cluster.ts'
import { tomcatScenarios } from '../scenarios/tomcat-scenarios.ts'
import { InterceptingProxy } from '../support/intercepting-proxy.ts'
import type { RolebookProcess } from '../support/rolebook-process.ts'
import { startAsDeployed } from './deployed-operator.ts'
import { MountedConfig } from './mounted-config.ts'

export const SCENARIOS = [
  ...maintPageScenarios,
  ...memcachedScenarios,
  ...memcachedAlphaScenarios,
  ...appServiceScenarios,
  ...webServiceScenarios,
  ...tomcatScenarios,
]

const NAMESPACE = 'rolebook-system'
const LEASE: Gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const CONFIG_MAP: Gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const SECRET: Gvk = { group: '', version: 'v1', kind: 'Secret' }
/** Of the resources that scenarios make. */
const RESOURCES = [KIND.maintPage, KIND.memcached, KIND.memcachedAlpha, KIND.appService, KIND.webService, KIND.tomcat]
const MOST_TRIES = 12

/** The operator as `deploy/deployment.yaml` starts it, as its ServiceAccount, doing all that it can be made to do. */
export class RightsExercise {
  readonly #plane: ControlPlane
  readonly #cluster: TestCluster

  constructor(plane: ControlPlane, cluster: TestCluster) {
    this.#plane = plane
    this.#cluster = cluster
  }

  /** Ends when everything was done, or in an error when something could not be; `stopped` ends it early. */
  async run(stopped: Promise<unknown> = new Promise(() => undefined)): Promise<void> {
    await this.#forgetInstallation()
    const config = new MountedConfig()
    const proxy = await InterceptingProxy.start(this.#cluster.operatorKubeconfig, () => undefined)
    const program = startAsDeployed(config, proxy.kubeconfig)
    try {
      await Promise.race([stopped, this.#allOf(program, config, proxy)])
    } catch (error) {
      throw new Error(`the operator says at last:\n${program.stderr.slice(-4_000)}`, { cause: error })
    } finally {
      await program.stop()
      await proxy.stop()
      config.remove()
      await this.#clear()
    }
  }

  async #allOf(program: RolebookProcess, config: MountedConfig, proxy: InterceptingProxy): Promise<void> {
    const url = await adminUrl(program)
    await this.#readMetrics(url)
    for (const { run } of SCENARIOS) await run(await this.#driver())
    for (const gvk of RESOURCES) await this.#explain(gvk, url)
    await this.#loseConnection(proxy)
    await this.#dropKind(config)
    await this.#dropChart(config)
    if (program.stderr.includes('rights are missing')) throw new Error('the operator misses rights')
  }

  /** Afterwards the namespace looks as if no operator had ever run there. */
  async #forgetInstallation(): Promise<void> {
    const { client } = this.#cluster.connection
    await client.delete(LEASE, { namespace: NAMESPACE, name: 'rolebook' })
    for (const gvk of [CONFIG_MAP, SECRET]) await client.delete(gvk, { namespace: NAMESPACE, name: 'rolebook-ledger' })
  }

  async #driver(): Promise<ClusterDriver> {
    return httpDriver(this.#cluster.connection.client, await this.#cluster.newNamespace('rights'))
  }

  /**
   * The operator of the next exercise would have to look after all that this one has made. Namespaces stay: one that is going
   * away refuses requests, too.
   */
  async #clear(): Promise<void> {
    const { client } = this.#cluster.connection
    const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const
    for (const gvk of RESOURCES) {
      for (const resource of (await client.list(gvk)).items) {
        const key = keyOf(resource)
        await client.patch(gvk, key, patch, { fieldManager: 'test' })
        await client.delete(gvk, key)
      }
    }
  }

  /** By the account of the operator itself, which may not: it is known and asked for all the same. */
  async #readMetrics(url: string): Promise<void> {
    const args = ['--kubeconfig', this.#plane.kubeconfig, '--namespace', NAMESPACE, 'create', 'token', 'rolebook']
    const token = execFileSync(this.#plane.kubectl, args, { encoding: 'utf8' }).trim()
    const status = await statusOf(`${url}/metrics`, { authorization: `Bearer ${token}` })
    if (status !== 403) throw new Error(`metrics were answered with ${status}`)
  }

  /** What was done to one resource of the kind, which may change while it is asked about. */
  async #explain(gvk: Gvk, url: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { items } = await this.#cluster.connection.client.list(gvk)
      const resource = items.find(({ metadata }) => metadata.deletionTimestamp === undefined)
      if (!resource) throw new Error(`the scenarios leave no ${gvk.kind} behind`)
      const headers = { [PROOF_HEADER]: proofOf(resource) }
      if ((await statusOf(url + explainPath(gvk, keyOf(resource)), headers)) === 200) return
    }
    throw new Error(`no run for a ${gvk.kind} was explained`)
  }

  /** Every watch is cut, and asks where the server is before it goes on. */
  async #loseConnection(proxy: InterceptingProxy): Promise<void> {
    proxy.cut()
    await this.#makePage(await this.#driver())
  }

  /** A role is edited so that it makes no Pod any more. */
  async #dropKind(config: MountedConfig): Promise<void> {
    const driver = await this.#driver()
    await this.#makePage(driver)
    config.edit('roles', 'maintpage.yaml', (text) => text.replace(/ {2}- name: Maintenance page\n[\s\S]*?\n\n/, ''))
    await driver.until(KIND.pod, 'page-maintpage-pod', gone)
  }

  /** A role is edited so that it installs no chart any more. */
  async #dropChart(config: MountedConfig): Promise<void> {
    const driver = await this.#driver()
    await driver.apply(newObject(KIND.tomcat, 'tomcat', { serviceAccount: { create: true } }))
    await driver.until(KIND.tomcat, 'tomcat', ready)
    const rest = 'tasks:\n  - status: { deployedRelease: { name: none } }\n'
    config.edit('roles', 'tomcat.yaml', (text) => text.replace(/tasks:[\s\S]*/, rest))
    await driver.until(KIND.tomcat, 'tomcat', has(['status', 'deployedRelease', 'name'], 'none'))
    await driver.until(KIND.serviceAccount, 'tomcat', gone)
  }

  async #makePage(driver: ClusterDriver): Promise<void> {
    const spec = {
      maintpageconfig: { maintpagetoggle: false, maintpageimage: 'page:1' },
      appconfig: { appname: 'httpd', appimage: 'app:1' },
    }
    await driver.apply(newObject(KIND.maintPage, 'page', spec))
    await driver.until(KIND.maintPage, 'page', ready)
  }
}

/** Where metrics are read, and explanations. */
async function adminUrl(program: RolebookProcess): Promise<string> {
  const address = /"server":"metrics[^"]*","url":"([^"]+)"/
  await program.until('metrics are served', ({ stderr }) => address.test(stderr))
  return address.exec(program.stderr)?.[1] ?? ''
}

function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  request(url, { rejectUnauthorized: false, headers }, (answer) => {
    answer.resume()
    resolve(answer.statusCode)
  })
    .on('error', reject)
    .end()
  return promise
}
