/**
 * A real control plane without containers: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok as
 * plain processes on loopback, on free ports, in a folder of their own. `stop` ends each by its pid and removes the folder.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AUDIT_POLICY, AuditLog } from './audit-log.ts'
import { type Binaries, buildBinaries, type ProgramName } from './binaries.ts'
import { CertificateAuthority, createTokenKeys } from './certificates.ts'
import { kubeconfigText } from './kubeconfig.ts'
import * as programs from './program-arguments.ts'
import { ServerProcess } from './server-process.ts'

const READY_WITHIN_MS = 60_000
const POLL_MS = 100
/** etcd's files belong in memory: nothing of a test outlives it. */
const MEMORY = '/dev/shm'

type MoreArguments = Partial<Readonly<Record<ProgramName, readonly string[]>>>

export class ControlPlane {
  readonly #folder: string
  readonly #binaries: Binaries
  readonly #authority: CertificateAuthority
  readonly #ports: programs.Ports
  readonly #processes = new Map<ProgramName, ServerProcess>()
  readonly #moreArguments: MoreArguments

  private constructor(
    binaries: Binaries,
    authority: CertificateAuthority,
    ports: programs.Ports,
    moreArguments: MoreArguments,
  ) {
    this.#moreArguments = moreArguments
    this.#folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'rolebook-control-plane-'))
    this.#binaries = binaries
    this.#authority = authority
    this.#ports = ports
  }

  /**
   * Builds what has not been built, and starts everything; resolves once Pods could be scheduled.
   * When this process exits without `stop`, the children are killed; a signal that ends it must become such an exit.
   * @param moreArguments of programs that are to be started otherwise than usual
   * @throws Error with the last lines of the log of the program that did not come up
   */
  static async start(moreArguments: MoreArguments = {}): Promise<ControlPlane> {
    const binaries = buildBinaries()
    const authority = await CertificateAuthority.create()
    const plane = new ControlPlane(binaries, authority, await choosePorts(), moreArguments)
    process.once('exit', plane.#killAll)
    try {
      await plane.#writeFiles()
      await plane.#startAll()
    } catch (error) {
      await plane.stop()
      throw error
    }
    return plane
  }

  get url(): string {
    return `https://127.0.0.1:${this.#ports.apiServer}`
  }

  /** The path of a kubeconfig whose user may do everything. */
  get kubeconfig(): string {
    return join(this.#folder, 'admin.conf')
  }

  get kubectl(): string {
    return this.#binaries.paths.kubectl
  }

  /** The path of a kubeconfig for a user of this name, known by a client certificate; RBAC says what it may do. */
  async userKubeconfig(name: string, groups: readonly string[] = []): Promise<string> {
    const credentials = await this.#authority.signUser(name, groups)
    const path = join(this.#folder, `${name}.conf`)
    writeFileSync(path, kubeconfigText({ server: this.url, ca: this.#authority.certificate, user: name, credentials }))
    return path
  }

  /** The path of a kubeconfig for a ServiceAccount, by a token of an hour; `namespace` is also that of its context. */
  serviceAccountKubeconfig(namespace: string, name: string): string {
    const args = ['--kubeconfig', this.kubeconfig, '--namespace', namespace, 'create', 'token', name]
    const token = execFileSync(this.kubectl, args, { encoding: 'utf8' }).trim()
    const path = join(this.#folder, `${namespace}-${name}.conf`)
    const ca = this.#authority.certificate
    writeFileSync(path, kubeconfigText({ server: this.url, ca, user: name, credentials: { token }, namespace }))
    return path
  }

  /** What the ServiceAccounts of the operator's namespace ask from now on. */
  auditLog(): AuditLog {
    const log = new AuditLog(join(this.#folder, 'audit.log'))
    log.take()
    return log
  }

  /** Ends the API server (at once, when the signal is SIGKILL) and starts it again on the same port. */
  async restartApiServer(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#processes.get('kube-apiserver')?.stop(signal)
    await this.#startApiServer()
  }

  /** Ends etcd and starts it again on the same data; the API server stays, and is ready again when this resolves. */
  async restartEtcd(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#processes.get('etcd')?.stop(signal)
    this.#launch('etcd', programs.etcd(this.#ports))
    await this.#until('kube-apiserver', () => this.#answers('/readyz'))
  }

  /** Forgets what etcd keeps of the past: older resourceVersions are answered with 410 once the watch cache is empty. */
  async compact(): Promise<void> {
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const reply = await fetch(`http://127.0.0.1:${this.#ports.etcdClient}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      return (await reply.json()) as Record<string, unknown>
    }
    const status = (await post('/v3/maintenance/status', {})) as { header: { revision: string } }
    await post('/v3/kv/compaction', { revision: status.header.revision, physical: true })
  }

  async stop(): Promise<void> {
    process.removeListener('exit', this.#killAll)
    for (const name of ['kwok', 'kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'] as const) {
      await this.#processes.get(name)?.stop()
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #writeFiles(): Promise<void> {
    const server = await this.#authority.signServer()
    const tokens = await createTokenKeys()
    const files = {
      'ca.crt': this.#authority.certificate,
      'server.crt': server.certificate,
      'server.key': server.key,
      'sa.key': tokens.privateKey,
      'sa.pub': tokens.publicKey,
      'stages.yaml': this.#binaries.kwokStages,
      'audit.json': JSON.stringify(AUDIT_POLICY),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#folder, name), text, { mode: 0o600 })
    await this.userKubeconfig('admin', ['system:masters'])
  }

  async #startAll(): Promise<void> {
    this.#launch('etcd', programs.etcd(this.#ports))
    await this.#startApiServer()
    this.#launch('kube-controller-manager', programs.controllerManager(this.#ports))
    this.#launch('kube-scheduler', programs.scheduler(this.#ports))
    this.#launch('kwok', programs.kwok(this.#ports))
    this.#kubectl(['apply', '-f', '-'], JSON.stringify(programs.NODE))
    await this.#until('kube-controller-manager', () => this.#has('serviceaccount/default', '--namespace=default'))
    await this.#until('kwok', () => this.#kubectl(['wait', '--for=condition=Ready', 'node/node-1', '--timeout=1s']))
  }

  async #startApiServer(): Promise<void> {
    this.#launch('kube-apiserver', programs.apiServer(this.#ports))
    await this.#until('kube-apiserver', () => this.#answers('/readyz'))
  }

  #launch(name: ProgramName, usual: readonly string[]): void {
    const args = [...usual, ...(this.#moreArguments[name] ?? [])]
    this.#processes.set(name, new ServerProcess(name, { path: this.#binaries.paths[name], args, folder: this.#folder }))
  }

  async #until(name: ProgramName, holds: () => boolean): Promise<void> {
    const process = this.#processes.get(name)
    for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; await sleep(POLL_MS)) {
      if (process?.running === false) break
      if (holds()) return
    }
    throw new Error(`${name} did not come up; its last words:\n${process?.lastWords()}`)
  }

  #answers(path: string): boolean {
    return this.#kubectl(['get', '--raw', path])
  }

  #has(...args: readonly string[]): boolean {
    return this.#kubectl(['get', ...args])
  }

  #kubectl(args: readonly string[], input = ''): boolean {
    try {
      const options = { input, stdio: ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'] }
      execFileSync(this.kubectl, ['--kubeconfig', this.kubeconfig, ...args], options)
      return true
    } catch {
      return false
    }
  }

  readonly #killAll = (): void => {
    for (const process of this.#processes.values()) process.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Free when asked for; all are held open until all are known, so that none is given twice. */
async function choosePorts(): Promise<programs.Ports> {
  const names = ['etcdClient', 'etcdPeer', 'apiServer', 'controllerManager', 'scheduler', 'kwok'] as const
  const servers = await Promise.all(names.map(listenAnywhere))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as unknown as programs.Ports
}

function listenAnywhere(): Promise<ReturnType<typeof createServer>> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
