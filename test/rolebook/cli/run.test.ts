import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { conditionsOf, findCondition } from '../../../src/core/kube/condition.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { parseBody } from '../../../src/core/yaml/parse-body.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import type { RequestEntry } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeNoteProject } from './note-project.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const NOTE = { group: 'example.com', version: 'v1', kind: 'Note' }
const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const NOTES = { namespace: '', name: 'notes.example.com' }

const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }

/** The schema of a CRD, on one line. */
const WITH_MOOD =
  '{type: object, properties: {spec: {type: object, properties: {text: {type: string}, mood: {type: string}}}}, x-kubernetes-preserve-unknown-fields: true}'

type Line = JsonObject & { readonly msg: string }

describe('rolebook run', () => {
  let cluster: SandboxCluster
  let folder: ReturnType<typeof temporaryFolder>
  let requests: RequestEntry[]
  before(async () => {
    folder = temporaryFolder()
    writeNoteProject(folder.path)
    const onRequest = (entry: RequestEntry): void => void requests.push(entry)
    const options = { clock: systemClock, logger: nopLogger, workloads: false, authorization: 'rbac' as const }
    requests = []
    cluster = await SandboxCluster.start({ ...options, onRequest })
    writeKubeconfig(kubeconfig(), cluster.access)
  })
  beforeEach(() => {
    requests = []
  })
  after(async () => {
    await cluster.stop()
    folder.remove()
  })

  const kubeconfig = (name = 'kubeconfig'): string => join(folder.path, name)
  const project = (...more: readonly string[]): readonly string[] => [
    ...['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')],
    ...['--log-format', 'json', '--log-level', 'debug', ...more],
  ]
  const linesOf = ({ stderr }: FakeTerminal): readonly Line[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))

  /** Runs the program until `seen`, stops it, and returns what it came to. */
  async function run(
    args: readonly string[],
    seen: (lines: readonly Line[]) => boolean,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const terminal = new FakeTerminal({ environment })
    const ended = runProgram(['run', '--kubeconfig', kubeconfig(), ...args], terminal)
    await Promise.race([terminal.until((one) => seen(linesOf(one))), ended])
    terminal.stop()
    const code = await ended
    return { code, lines: linesOf(terminal), stderr: terminal.stderr }
  }
  const says = (text: string) => (lines: readonly Line[]) => lines.some(({ msg }) => msg.includes(text))

  const crdOfNotes = (): KubeObject & JsonObject => {
    return parseBody(readFileSync(join(folder.path, 'roles/note/crd.yaml'), 'utf8')) as KubeObject & JsonObject
  }

  const note = (name: string, namespace: string, text: string): Promise<KubeObject> =>
    cluster.apply({ apiVersion: 'example.com/v1', kind: 'Note', metadata: { name, namespace }, spec: { text } })

  it('is stopped while it installs CRDs, and ends with 0', async () => {
    const { code, stderr } = await run(project('--install-crds'), says('a CRD is installed'))
    expect(code, stderr).to.equal(0)
  })

  describe('on a cluster with its CRDs', () => {
    before(async () => {
      for (const name of ['team-a', 'team-b'])
        await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      await cluster.install(crdOfNotes())
      for (const name of ['team-a', 'team-b']) await note('hello', name, 'good morning')
    })

    /** Requests of the program that are no reads, less those that are dry runs. */
    const writes = (): readonly string[] =>
      requests
        .filter(({ method, userAgent }) => method !== 'GET' && userAgent.endsWith('(run)'))
        .filter(({ path }) => !path.includes('dryRun=All'))
        .map(({ method, path }) => `${method} ${path.split('?')[0]}`)
    const made = async (namespace: string): Promise<readonly (string | undefined)[]> =>
      (await cluster.connection.client.list(CONFIG_MAP, { namespace })).items.map(({ metadata }) => metadata.name)

    it('--dry-run says what it would do, takes no lease and writes nothing', async () => {
      const seen = (lines: readonly Line[]): boolean =>
        lines.filter(({ msg }) => msg === 'dry run: would create').length === 2 &&
        lines.filter(({ subresource }) => subresource === 'status').length === 2
      const { code, lines, stderr } = await run(project('--dry-run', '--install-crds'), seen)
      expect(code, stderr).to.equal(0)
      expect(writes()).to.deep.equal([])
      expect(await made('team-a')).to.not.include('hello')
      const dryRuns = lines
        .filter(({ msg }) => msg.startsWith('dry run: '))
        .map(({ msg, kind, object }) => [msg, kind, object].join(' '))
      expect(dryRuns).to.include('dry run: would create ConfigMap team-a/hello')
      expect(lines.map(({ msg }) => msg)).to.include.members([
        'all rights that are needed are there',
        'operator has stopped',
      ])
    })

    long.it('works in the namespaces of WATCH_NAMESPACE alone, logs what it does, and lets its lease go', async () => {
      process.env.WATCH_NAMESPACE = 'team-b'
      const election = ['--leader-election-namespace', 'team-b', '--leader-election-id', 'one']
      try {
        const pod = { POD_NAMESPACE: 'team-b', POD_NAME: 'rolebook-7' }
        const { code, lines, stderr } = await run(project(...election), says('run complete'), pod)
        expect(code, stderr).to.equal(0)
        const created = lines.filter(({ msg }) => msg === 'object created')
        expect(created.map(({ resource, role, task, object }) => ({ resource, role, task, object }))).to.deep.equal([
          { resource: 'team-b/hello', role: 'note', task: 'ensure (task 1)', object: 'ConfigMap team-b/hello' },
        ])
      } finally {
        delete process.env.WATCH_NAMESPACE
      }
      expect(await made('team-a')).to.not.include('hello')
      expect(await made('team-b'), 'the ledger stands where the pod is').to.include('rolebook-ledger')
      const lease = await cluster.connection.client.get(LEASE, { namespace: 'team-b', name: 'one' })
      expect(lease?.spec).to.include({ holderIdentity: '' })
      const { items: events } = await cluster.connection.client.list(EVENT, { namespace: 'team-b' })
      const reporters = new Set(events.map(({ reportingInstance }) => String(reportingInstance).replace(/_.{16}$/, '')))
      expect([...reporters], 'events name the replica').to.deep.equal(['rolebook-7'])
      const [last] = writes().slice(-1)
      expect(last, 'the lease is let go last').to.equal(
        'PATCH /apis/coordination.k8s.io/v1/namespaces/team-b/leases/one',
      )
    })

    long.it('shares the resources among replicas, each shard with a lease of its own', async () => {
      const args = ['--namespace', 'team-b', '--leader-election-id', 'shared', '--shards', '2']
      const { code, stderr } = await run(project(...args), says('run complete'), { POD_NAMESPACE: 'team-b' })
      expect(code, stderr).to.equal(0)
      const { items } = await cluster.connection.client.list(LEASE, { namespace: 'team-b' })
      const leases = items.map(({ metadata }) => metadata.name).filter((name) => name?.startsWith('shared'))
      expect(leases).to.include.members(['shared', 'shared-shard-0', 'shared-shard-1'])
    })

    it('says what is wrong with a change, and follows the next one', async () => {
      const role = join(folder.path, 'roles/note/role.yaml')
      const before = readFileSync(role, 'utf8')
      const seen = (lines: readonly Line[]): boolean => {
        const isBroken = readFileSync(role, 'utf8') !== before
        if (!isBroken && !says('cannot be used')(lines) && says('run complete')(lines))
          writeFileSync(role, 'tasks: no\n')
        if (isBroken && says('cannot be used')(lines)) writeFileSync(role, before)
        return says('project reloaded')(lines)
      }
      const args = project('--no-leader-elect', '--namespace', 'team-b')
      const { code, stderr } = await run(args, seen, { POD_NAMESPACE: 'team-b' })
      expect(code).to.equal(0)
      expect(stderr).to.match(/role\.yaml:1:8 error RB\d+/)
    })

    describe('asked by `rolebook explain` in the folder of its project', () => {
      /** What `explain` prints while it runs. */
      async function explainedBy(environment: Readonly<Record<string, string>>): Promise<FakeTerminal> {
        const asking = new FakeTerminal()
        const terminal = new FakeTerminal({ environment: { POD_NAMESPACE: 'team-b', ...environment } })
        const cluster = ['--kubeconfig', kubeconfig()]
        const ended = runProgram(
          ['run', ...cluster, ...project('--no-leader-elect', '--namespace', 'team-b')],
          terminal,
        )
        await terminal.until((one) => says('run complete')(linesOf(one)))
        const flags = [...cluster, ...project().slice(0, 4), '-n', 'team-b', '--operator-namespace', 'team-b']
        await runProgram(['explain', 'note', 'hello', ...flags], asking)
        terminal.stop()
        await ended
        return asking
      }

      it('answers with its history, and leaves no file behind', async () => {
        const { stdout, stderr } = await explainedBy({})
        expect(stderr).to.not.include('no operator answers')
        expect(stdout).to.include('the operator started')
        expect(existsSync(join(folder.path, '.rolebook/run.json'))).to.equal(false)
      })

      it('works and ends where the folder cannot be written, and says what that costs', async () => {
        rmSync(join(folder.path, '.rolebook'), { recursive: true, force: true })
        writeFileSync(join(folder.path, '.rolebook'), '')
        const listening = (): number => process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length
        const before = listening()
        const { code, lines } = await run(project('--no-leader-elect', '--namespace', 'team-b'), says('run complete'), {
          POD_NAMESPACE: 'team-b',
        })
        rmSync(join(folder.path, '.rolebook'))
        expect([code, listening()]).to.deep.equal([0, before])
        expect(lines.map(({ msg }) => msg)).to.include('rolebook explain cannot ask this operator')
      })

      it('is asked by its Service in a pod', async () => {
        const { stderr } = await explainedBy({ KUBERNETES_SERVICE_HOST: '10.96.0.1' })
        expect(stderr).to.include('no operator answers')
      })
    })

    it('warns when it takes no part in leader election, and works without a lease', async () => {
      requests = []
      const args = project('--no-leader-elect', '--namespace', 'team-b', '--kube-api-qps', '1000')
      const { code, lines, stderr } = await run(args, says('run complete'), { POD_NAMESPACE: 'team-b' })
      expect(code, stderr).to.equal(0)
      expect(lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('leader election'))).to.deep.equal([
        'leader election is off: nothing keeps a second process of this installation from working, too',
      ])
      expect(writes().filter((write) => write.includes('/leases'))).to.deep.equal([])
    })

    it('ends with 2 where the folder of the certificate is not there, and says which flag names it', async () => {
      const metrics = ['--metrics-bind-address=127.0.0.1:0', '--metrics-cert-dir', join(folder.path, 'nowhere')]
      const { code, stderr } = await run(project('--no-leader-elect', ...metrics), () => false)
      expect(code, stderr).to.equal(2)
      expect(stderr).to.match(/^rolebook run: cannot use --metrics-cert-dir ".*nowhere": /m)
    })

    it('says in the condition of a resource which rule is missing for the ledger', async () => {
      const [group, name] = ['rbac.authorization.k8s.io', 'no-ledger']
      const apiVersion = `${group}/v1`
      const rules = [
        { apiGroups: ['example.com'], resources: ['notes'], verbs: ['list', 'watch'] },
        { apiGroups: ['example.com'], resources: ['notes/status'], verbs: ['patch'] },
      ]
      const roleRef = { apiGroup: group, kind: 'ClusterRole', name }
      const subjects = [{ apiGroup: group, kind: 'User', name }]
      await cluster.apply({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules })
      await cluster.apply({ apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects })
      const config = JSON.parse(readFileSync(kubeconfig(), 'utf8'))
      config.users[0].user.as = name
      writeFileSync(kubeconfig(name), JSON.stringify(config))
      const args = ['--kubeconfig', kubeconfig(name), '--namespace', 'team-a', '--no-leader-elect']
      const { code, stderr } = await run(project(...args), says('run failed'), { POD_NAMESPACE: 'team-b' })
      expect(code, stderr).to.equal(0)
      const hello = await cluster.connection.client.get(NOTE, { namespace: 'team-a', name: 'hello' })
      expect(findCondition(conditionsOf(hello as KubeObject), 'Stalled')).to.include({
        reason: 'Forbidden',
        message:
          'task "ensure (task 1)": cannot get secrets in namespace "team-b": the right is missing ' +
          '(grant {apiGroups: [""], resources: [secrets], verbs: [get], resourceNames: [rolebook-ledger]}) (roles/note/role.yaml:2)',
      })
    })

    describe('a dry run beside the operator at work', () => {
      const withoutNamespace = (): string => {
        const config = JSON.parse(readFileSync(kubeconfig(), 'utf8'))
        delete config.contexts[0].context.namespace
        writeFileSync(kubeconfig('home'), JSON.stringify(config))
        return kubeconfig('home')
      }
      const dryRun = (seen: (lines: readonly Line[]) => boolean, environment = {}) => {
        const args = ['--dry-run', '--namespace', 'team-b', '--kubeconfig', withoutNamespace()]
        return run(project(...args), seen, environment)
      }

      it('goes by the ledger of that operator, wherever it stands: it says nothing of what is as it should be', async () => {
        const { code, lines, stderr } = await dryRun(says('run complete'))
        expect(code, stderr).to.equal(0)
        expect(lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('dry run:'))).to.deep.equal([])
      })

      it('asks which one is meant where there are several, unless POD_NAMESPACE says so', async () => {
        const metadata = { namespace: 'team-a', name: 'rolebook-ledger' }
        await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
        try {
          const { code, stderr } = await dryRun(() => false)
          expect(code, stderr).to.equal(2)
          expect(stderr).to.include(
            'rolebook run: there are several operators, in team-a, team-b: say which with the variable POD_NAMESPACE\n',
          )
          const result = await dryRun(says('run complete'), { POD_NAMESPACE: 'team-b' })
          expect(result.code, result.stderr).to.equal(0)
        } finally {
          await cluster.connection.client.delete(CONFIG_MAP, metadata, {})
        }
      })
    })

    it('says at once which rights are missing, and which rules would grant them', async () => {
      const impersonating = JSON.parse(readFileSync(kubeconfig(), 'utf8'))
      impersonating.users[0].user.as = 'nobody'
      delete impersonating.contexts[0].context.namespace
      writeFileSync(kubeconfig('nobody'), JSON.stringify(impersonating))
      const seen = says('rights are missing')
      const { code, lines, stderr } = await run(
        project('--kubeconfig', kubeconfig('nobody'), '--namespace', 'team-a', '--metrics-bind-address=127.0.0.1:0'),
        seen,
      )
      expect(code, stderr).to.equal(0)
      const said = lines.filter(({ msg }) => msg.startsWith('rights are missing'))
      expect(said.length).to.equal(1)
      const { grant } = said[0] as Line & { readonly grant: readonly JsonObject[] }
      const inTeam = grant.find(({ namespace }) => namespace === 'team-a') ?? {}
      expect(inTeam.rules).to.deep.include({
        apiGroups: ['example.com'],
        resources: ['notes/status'],
        verbs: ['patch'],
      })
      expect(JSON.stringify(grant))
        .to.include('"leases"')
        .and.include('"rolebook-ledger"')
        .and.include('"tokenreviews"')
    })

    describe('--install-crds', () => {
      const crdFile = (): string => join(folder.path, 'roles/note/crd.yaml')
      const write = (schema: string): void =>
        writeFileSync(
          crdFile(),
          readFileSync(crdFile(), 'utf8').replace(/openAPIV3Schema:.*/, `openAPIV3Schema: ${schema}`),
        )
      const schemaOf = async (): Promise<string> =>
        JSON.stringify((await cluster.connection.client.get(CRD, NOTES))?.spec)

      it('adds fields', async () => {
        write(WITH_MOOD)
        const { code, stderr } = await run(
          project('--install-crds', '--no-leader-elect', '--namespace', 'team-b'),
          says('a CRD is changed'),
        )
        expect(code, stderr).to.equal(0)
        expect(await schemaOf()).to.include('"mood"')
      })

      it('takes no field away: it ends with 2 and says which', async () => {
        write(
          '{type: object, properties: {spec: {type: object, properties: {text: {type: string}}}}, x-kubernetes-preserve-unknown-fields: true}',
        )
        const { code, stderr } = await run(project('--install-crds'), () => false)
        expect(code, stderr).to.equal(2)
        expect(stderr).to.include('notes.example.com: v1 spec.mood is gone')
        expect(await schemaOf()).to.include('"mood"')
      })

      it('does not use a change of a running project that takes a field away', async () => {
        const before = readFileSync(crdFile(), 'utf8')
        write(WITH_MOOD)
        const work = ['--install-crds', '--no-leader-elect', '--namespace', 'team-b']
        const { code, lines, stderr } = await run(
          project(...work),
          (printed) => {
            if (says('run complete')(printed) && readFileSync(crdFile(), 'utf8') !== before)
              writeFileSync(crdFile(), before)
            return says('the changed project is not used')(printed)
          },
          { POD_NAMESPACE: 'team-b' },
        )
        expect(code, stderr).to.equal(0)
        const refused = lines.find(({ msg }) => msg.startsWith('the changed project is not used'))
        expect(refused?.reason).to.include('v1 spec.mood is gone')
        expect(await schemaOf()).to.include('"mood"')
      })

      it('leaves a CRD alone that is as it should be', async () => {
        write(WITH_MOOD)
        const { code, stderr, lines } = await run(project('--install-crds', '--dry-run'), says('rights'))
        expect([code, lines.map(({ msg }) => msg).filter((msg) => msg.includes('CRD'))], stderr).to.deep.equal([0, []])
      })
    })
  })
})
