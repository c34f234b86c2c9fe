import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import { AdminServer } from '../../src/engine/runtime/admin-server.ts'
import { ownCertificate } from '../../src/rolebook/cli/certificates.ts'
import { operatorService } from '../../src/rolebook/cli/explain/ask-operator.ts'
import { explainRoute } from '../../src/rolebook/cli/explain/explain-route.ts'
import { runProgram } from '../../src/rolebook/cli/run-program.ts'
import type { InterceptedRequest } from '../../src/sandbox/apiserver/http/request-handler.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { ready } from '../scenarios/objects.ts'
import { startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { grantOperator } from '../support/grant-operator.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('what an operator would do, and did, on a real server', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const asked: InterceptedRequest[] = []
  let cluster: TestCluster
  let namespace: string
  let connection: Connection
  let operator: RunningOperator
  let driver: ClusterDriver

  before(async function () {
    cluster = await startTestCluster(this, await projectAt(), {
      intercept: (request) => {
        if (request.phase === 'before') asked.push(request)
        return undefined
      },
    })
    namespace = await cluster.newNamespace('diff')
    driver = httpDriver(cluster.connection.client, namespace)
    const options = { watchNamespaces: [namespace], namespace }
    const ledger = { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'create', 'patch'] }
    await grantOperator(cluster.connection.client, { name: 'diff-test', namespace, rules: [ledger] })
    connection = await cluster.connectOperator()
    operator = startOperator({ connection }, await projectAt(), options)
    await driver.apply({
      apiVersion: 'cache.example.com/v1',
      kind: 'Memcached',
      metadata: { name: 'm' },
      spec: { size: 2 },
    })
    await driver.until(KIND.memcached, 'm', ready)
    await operator.operator.idle()
    await operator.stop()
  })
  after(async () => {
    await operator?.stop()
    await cluster?.stop()
    folder.remove()
  })

  async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const terminal = new FakeTerminal()
    const code = await runProgram([...args, '-n', namespace, '--operator-namespace', namespace], terminal)
    // What check says of the roles is no matter of these tests.
    const err = terminal.stderr.replace(/(?:^|\n)(?:.* warning RB\d+ .*\n)+\n\d+ warnings?\n$/, '')
    return { code, out: terminal.stdout, err }
  }

  /** The server learns of Services and what stands behind them by watches of its own. */
  async function untilServed(path: string): Promise<void> {
    for (let message = ''; message !== 'there is nothing at this path'; ) {
      const answer = await cluster.connection.read(path).catch((error: unknown) => error)
      message = answer instanceof Error ? answer.message : ''
    }
  }

  const state = async (): Promise<string> => {
    const { client } = cluster.connection
    const kinds = [KIND.memcached, KIND.deployment, KIND.pod, KIND.configMap]
    const lists = await Promise.all(kinds.map((gvk) => client.list(gvk, { namespace })))
    return JSON.stringify(
      lists.map(({ items }) => items.map(({ metadata }) => [metadata.name, metadata.resourceVersion])),
    )
  }

  it('rolebook diff finds nothing where the roles are those that ran', async () => {
    const result = await run('diff', 'memcached.cache.example.com', 'm', '--kubeconfig', cluster.operatorKubeconfig)
    expect(result).to.deep.equal({ code: 0, out: '1 resource: no differences\n', err: '' })
  })

  it('rolebook diff prints what other roles would change, and each of its writes is a dry run', async () => {
    cpSync('roles', folder.path, { recursive: true })
    const path = join(folder.path, 'memcached/role.yaml')
    const role = readFileSync(path, 'utf8').replace(/image: memcached:.*/, 'image: memcached:1.6')
    writeFileSync(path, role.replace('${spec.size}', '${spec.size + 1}'))
    const before = await state()
    asked.length = 0
    const flags = ['--roles-path', folder.path, '--kubeconfig', cluster.operatorKubeconfig]
    const { code, out, err } = await run('diff', 'memcached.cache.example.com', 'm', ...flags)
    expect({ code, err }).to.deep.equal({ code: 3, err: '' })
    expect(out).to.equal(`Memcached ${namespace}/m (role memcached)
  ~ Deployment ${namespace}/m
      spec.replicas: 2 → 3   \${spec.size + 1}
      spec.template.spec.containers[name=memcached].image: "memcached:1.4.36-alpine" → "memcached:1.6"   \${$image}

1 resource: 0 to create, 1 to change, 0 to remove
`)
    const writes = asked.filter(({ method }) => method !== 'GET')
    expect(writes.length).to.be.above(0)
    expect(writes.filter(({ query }) => query.get('dryRun') !== 'All')).to.deep.equal([])
    expect(await state()).to.equal(before)
  })

  it('rolebook explain reaches the operator through the Service, without any token', async function () {
    const ip = Object.values(networkInterfaces())
      .flatMap((one) => one ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address
    if (ip === undefined) return this.skip() // an endpoint may not be on loopback, and this machine has no other address
    const { history } = operator.operator
    const route = explainRoute({ history, client: connection.client, leads: () => true })
    const server = new AdminServer({
      name: 'metrics',
      address: { host: '', port: 0 },
      tls: ownCertificate(() => Date.now()),
      routes: [route],
      clock: systemClock,
      logger: nopLogger,
    })
    await server.listen()
    const ending = new AbortController()
    const serving = server.start(ending.signal)
    try {
      for (const object of serviceAt(ip, Number(new URL(server.url).port), namespace)) await driver.apply(object)
      const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] }
      const options = { fieldManager: 'test', subresource: 'status' } as const
      const pod = { namespace, name: 'operator' }
      await cluster.connection.client.patch(KIND.pod, pod, { type: 'merge', body: { status } }, options)
      await untilServed(`/api/v1/namespaces/${namespace}/services/${operatorService('web')}/proxy/nothing`)
      // On a slow machine, the pods of the Deployment have woken some runs since the first.
      const flags = ['--runs', '20', '--operator-name', 'web', '--kubeconfig', cluster.kubeconfig]
      const { code, out, err } = await run('explain', 'memcached.cache.example.com', 'm', ...flags)
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out).to.contain(`      created Deployment ${namespace}/m\n`)
      expect(out).to.contain('  Ready: the cluster is as the role says\n')
    } finally {
      ending.abort()
      await serving
    }
  })
})

/** The Service of an operator that runs outside of the cluster. Servers send requests on to addresses of Pods alone. */
function serviceAt(ip: string, port: number, namespace: string): readonly KubeObject[] {
  const metadata = { name: 'web-metrics' }
  const targetRef = { kind: 'Pod', name: 'operator', namespace }
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'operator' },
      spec: { schedulerName: 'nobody', containers: [{ name: 'operator', image: 'operator' }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ports: [{ name: 'metrics', port: 8443, targetPort: port }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses: [{ ip, targetRef }], ports: [{ name: 'metrics', port }] }],
    },
  ]
}
