import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'chai'
import { explain } from '../../src/core/base/coded-error.ts'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import type { InterceptedRequest } from '../../src/sandbox/apiserver/http/request-handler.ts'
import { writeNoteProject } from '../rolebook/cli/note-project.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { gone, has, there } from '../scenarios/objects.ts'
import { isRealCluster, OPERATOR_AGENT, startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { grantOperator } from '../support/grant-operator.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTE = { group: 'example.com', version: 'v1', kind: 'Note' }
const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const CLUSTER_ROLE = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' }
/** No file can be written, wherever it is, and no process started. */
const NO_DISK = { ...env, NODE_OPTIONS: '--permission --allow-fs-read=*' }

type Line = JsonObject & { readonly msg: string }

describe('rolebook run as a process', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const programs: RolebookProcess[] = []
  const writes: InterceptedRequest[] = []
  let cluster: TestCluster
  let operatorSide: Connection
  let driver: ClusterDriver
  let namespace: string
  let files: readonly string[]

  before(async function () {
    writeNoteProject(folder.path)
    const paths = { watchesFile: join(folder.path, 'watches.yaml'), rolesPath: join(folder.path, 'roles') }
    files = ['--watches-file', paths.watchesFile, '--roles-path', paths.rolesPath]
    cluster = await startTestCluster(this, await projectAt(paths), {
      intercept: (request) => {
        const isWrite = request.method !== 'GET' && OPERATOR_AGENT.test(request.userAgent)
        if (isWrite && request.phase === 'after') writes.push(request)
        return undefined
      },
    })
    operatorSide = await cluster.connectOperator()
  })
  beforeEach(async () => {
    namespace = await cluster.newNamespace('run')
    driver = httpDriver(cluster.connection.client, namespace)
    await driver.apply(note('good morning'))
    while (!(await canOwn()));
  })
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.stop()
    await cluster.connection.client.delete(NOTE, { namespace, name: 'hello' })
    await driver.until(NOTE, 'hello', gone)
  })
  after(async () => {
    const { client } = cluster.connection
    for (const kind of ['ClusterRoleBinding', 'ClusterRole', 'Role', 'RoleBinding'])
      await client.delete(
        { ...CLUSTER_ROLE, kind },
        { namespace: kind.startsWith('Cluster') ? '' : namespace, name: 'run-test' },
      )
    await cluster.stop()
    folder.remove()
  })

  /**
   * Who checks `blockOwnerDeletion` in the server learns of a new kind within half a minute, and refuses it until then to all but
   * those who may do everything.
   */
  async function canOwn(): Promise<boolean> {
    const owner = { apiVersion: 'example.com/v1', kind: 'Note', name: 'hello', uid: 'u', blockOwnerDeletion: true }
    const metadata = { name: 'owned', namespace, ownerReferences: [owner] }
    const child = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } }
    try {
      await operatorSide.client.create(child, { fieldManager: 'test', dryRun: true })
    } catch (error) {
      return !explain(error).includes('RESTMapping')
    }
    return true
  }

  const note = (text: string): KubeObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Note',
    metadata: { name: 'hello' },
    spec: { text },
  })

  function start(kubeconfig: string, ...more: readonly string[]): RolebookProcess {
    const lease = ['--leader-election-namespace', namespace]
    const args = ['run', '--kubeconfig', kubeconfig, '--namespace', namespace, ...files, ...lease, ...more]
    const program = new RolebookProcess([...args, '--log-level', 'debug'], {
      env: { ...NO_DISK, POD_NAMESPACE: namespace },
    })
    programs.push(program)
    return program
  }

  const linesOf = ({ stderr }: RolebookProcess): readonly Line[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line))
  const logged = (text: string) => (program: RolebookProcess) => linesOf(program).some(({ msg }) => msg.includes(text))

  it('needs no writable disk; stops on SIGTERM with 0, its lease let go', async () => {
    const program = start(cluster.kubeconfig)
    await driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good morning'))
    await program.until('the run is over', logged('run complete'))
    expect(await program.stop()).to.equal(0)
    const lease = await cluster.connection.client.get(LEASE, { namespace, name: 'rolebook' })
    expect(lease?.spec).to.include({ holderIdentity: '' })
    expect(linesOf(program).at(-1)?.msg).to.equal('operator has stopped')
  })

  it('writes nothing in a dry run', async () => {
    const all = ['get', 'list', 'watch', 'create', 'patch', 'delete']
    await grantOperator(cluster.connection.client, {
      name: 'run-test',
      namespace,
      rules: [
        { apiGroups: ['example.com'], resources: ['notes', 'notes/status'], verbs: all },
        { apiGroups: ['example.com'], resources: ['notes/finalizers'], verbs: ['update'] },
        { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: all },
      ],
    })
    writes.splice(0)
    const program = start(cluster.operatorKubeconfig, '--dry-run')
    // A server learns of new rights in its own time: a first run may be refused, and say so in the status.
    await program.until('it says what it would do', (one) => {
      const lines = linesOf(one).filter(({ msg }) => msg.startsWith('dry run: would '))
      const made = lines.findIndex(({ msg }) => msg === 'dry run: would create')
      return made >= 0 && lines.slice(made).some(({ subresource }) => subresource === 'status')
    })
    expect(await program.stop()).to.equal(0)
    expect(writes.filter(({ query }) => query.get('dryRun') !== 'All').map(({ path }) => path)).to.deep.equal([])
    expect(writes.length).to.be.above(1)
    const made = linesOf(program).filter(({ msg }) => msg === 'dry run: would create')
    expect(made.map(({ object }) => object)).to.deep.equal([`${namespace}/hello`])
    expect(await driver.read(KIND.configMap, 'hello')).to.equal(undefined)
    expect(await cluster.connection.client.get(LEASE, { namespace, name: 'rolebook' })).to.equal(undefined)
  })

  it('names the rules that are missing; with these and no others everything works', async function () {
    if (!isRealCluster) this.skip() // everybody may do everything in the sandbox of the scenarios
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'))
    config.users[0].user.as = 'somebody'
    const kubeconfig = join(folder.path, 'somebody')
    writeFileSync(kubeconfig, JSON.stringify(config))
    const poor = start(kubeconfig)
    await poor.until('it says what is missing', logged('rights are missing'))
    expect(await poor.stop()).to.equal(0)
    const { grant } = linesOf(poor).find(({ msg }) => msg.includes('rights are missing')) as unknown as {
      readonly grant: readonly { readonly namespace?: string; readonly rules: readonly JsonObject[] }[]
    }
    for (const one of grant) await allow(one)
    const rich = start(kubeconfig)
    await rich.until('nothing is missing', logged('all rights that are needed are there'))
    await driver.until(KIND.configMap, 'hello', there)
    await rich.until('the run is over', logged('run complete'))
    expect(await rich.stop()).to.equal(0)
    expect(rich.stderr).to.not.include('forbidden')
  })

  /** As the log says it. */
  async function allow({
    namespace: place,
    rules,
  }: {
    readonly namespace?: string
    readonly rules: readonly JsonObject[]
  }) {
    const kind = place === undefined ? 'ClusterRole' : 'Role'
    const metadata = { name: 'run-test', ...(place !== undefined && { namespace: place }) }
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'run-test' }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }]
    for (const object of [
      { apiVersion, kind, metadata, rules },
      { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects },
    ])
      await cluster.connection.client.apply(object as KubeObject, { fieldManager: 'test', force: true })
  }
})
