/**
 * A real control plane without containers: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok as
 * plain processes on loopback, on free ports, in a folder of their own. `stop` ends each by its pid and removes the folder.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../support/free-ports.ts'
import { AUDIT_POLICY, AuditLog } from './audit-log.ts'
import { type Binaries, buildBinaries, type ProgramName } from './binaries.ts'
import { CertificateAuthority, createTokenKeys } from './certificates.ts'
import { kubeconfigText } from './kubeconfig.ts'
import * as programs from './program-arguments.ts'
import { ServerProcess } from './server-process.ts'
import { Watchdog } from './watchdog.ts'

const READY_WITHIN_MS = 60_000
const POLL_MS = 100
/** etcd's files belong in memory: nothing of a test outlives it. */
const MEMORY = '/dev/shm'

const USUAL_ARGUMENTS = {
  etcd: programs.etcd,
  'kube-apiserver': programs.apiServer,
  'kube-controller-manager': programs.controllerManager,
  'kube-scheduler': programs.scheduler,
  kwok: programs.kwok,
} as const

/** In the order in which they are to end. */
const PROGRAMS = ['kwok', 'kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'] as const

type MoreArguments = Partial<Readonly<Record<ProgramName, readonly string[]>>>

export interface ControlPlaneOptions {
  /** Whether there is a node that pods are scheduled to, and a kubelet. Defaults to true. */
  readonly nodes?: boolean
  /** PEM: one more authority whose client certificates count. */
  readonly clientCa?: string
}

export class ControlPlane {
  readonly #folder: string
  readonly #binaries: Binaries
  readonly #authority: CertificateAuthority
  readonly #ports: programs.Ports
  readonly #processes = new Map<ProgramName, ServerProcess>()
  readonly #moreArguments: MoreArguments
  readonly #watchdog: Watchdog

  private constructor(
    binaries: Binaries,
    authority: CertificateAuthority,
    ports: programs.Ports,
    moreArguments: MoreArguments,
  ) {
    this.#moreArguments = moreArguments
    this.#folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'rolebook-control-plane-'))
    this.#watchdog = new Watchdog(this.#folder)
    this.#binaries = binaries
    this.#authority = authority
    this.#ports = ports
  }

  /**
   * Builds what has not been built, and starts everything; resolves once Pods could be scheduled.
   * When this process ends without `stop`, in whatever way, a watchdog ends the children.
   * @param moreArguments of programs that are to be started otherwise than usual
   * @throws Error with the last lines of the log of the program that did not come up
   */
  static async start(
    moreArguments: MoreArguments = {},
    { nodes = true, clientCa = '' }: ControlPlaneOptions = {},
  ): Promise<ControlPlane> {
    const binaries = buildBinaries()
    const authority = await CertificateAuthority.create()
    const plane = new ControlPlane(binaries, authority, await choosePorts(), moreArguments)
    try {
      await plane.#writeFiles(clientCa)
      await plane.#startCluster()
      if (nodes) await plane.#startNodes()
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
    await this.halt('kube-apiserver', signal)
    await this.#startApiServer()
  }

  /** Ends etcd and starts it again on the same data; the API server stays, and is ready again when this resolves. */
  async restartEtcd(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.halt('etcd', signal)
    this.#launch('etcd')
    await this.#untilReady()
  }

  /** Of the process that runs now. */
  pidOf(name: ProgramName): number {
    return this.#processes.get(name)?.pid ?? 0
  }

  /** Ends one program; `resume` starts it again. */
  async halt(name: ProgramName, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#processes.get(name)?.stop(signal)
  }

  resume(name: Exclude<ProgramName, 'kubectl'>): void {
    this.#launch(name)
  }

  /** Keeps what etcd has now. `restoreEtcd` brings it back, older versions of everything included. */
  async saveEtcd(): Promise<void> {
    await this.halt('etcd')
    cpSync(join(this.#folder, 'etcd'), join(this.#folder, 'saved'), { recursive: true })
    this.#launch('etcd')
    await this.#untilReady()
  }

  /** As the handbooks want it: with every program stopped that remembers what was later. */
  async restoreEtcd(): Promise<void> {
    for (const name of PROGRAMS) await this.halt(name, 'SIGKILL')
    rmSync(join(this.#folder, 'etcd'), { recursive: true })
    renameSync(join(this.#folder, 'saved'), join(this.#folder, 'etcd'))
    for (const name of [...PROGRAMS].reverse()) this.#launch(name)
    await this.#untilReady()
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
    for (const name of PROGRAMS) await this.halt(name)
    rmSync(this.#folder, { recursive: true, force: true })
    this.#watchdog.stop()
  }

  async #writeFiles(clientCa: string): Promise<void> {
    const server = await this.#authority.signServer()
    const tokens = await createTokenKeys()
    const files = {
      'ca.crt': this.#authority.certificate,
      'client-ca.crt': `${this.#authority.certificate}\n${clientCa}`,
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

  async #startCluster(): Promise<void> {
    this.#launch('etcd')
    await this.#startApiServer()
    this.#launch('kube-controller-manager')
    await this.#until('kube-controller-manager', () => this.#kubectl('get', 'serviceaccount/default'))
  }

  async #startNodes(): Promise<void> {
    for (const name of ['kube-scheduler', 'kwok'] as const) this.#launch(name)
    writeFileSync(join(this.#folder, 'node.json'), JSON.stringify(programs.NODE))
    await this.#kubectl('apply', '-f', join(this.#folder, 'node.json'))
    await this.#until('kwok', () => this.#kubectl('wait', '--for=condition=Ready', 'node/node-1', '--timeout=1s'))
  }

  async #startApiServer(): Promise<void> {
    this.#launch('kube-apiserver')
    await this.#untilReady()
  }

  #untilReady(): Promise<void> {
    return this.#until('kube-apiserver', () => this.#kubectl('get', '--raw', '/readyz'))
  }

  #launch(name: Exclude<ProgramName, 'kubectl'>): void {
    const args = [...USUAL_ARGUMENTS[name](this.#ports), ...(this.#moreArguments[name] ?? [])]
    const program = { path: this.#binaries.paths[name], args, folder: this.#folder }
    this.#processes.set(name, new ServerProcess(name, program, this.#watchdog))
  }

  async #until(name: ProgramName, holds: () => Promise<boolean>): Promise<void> {
    const process = this.#processes.get(name)
    for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; await sleep(POLL_MS)) {
      if (process?.running === false) break
      if (await holds()) return
    }
    throw new Error(`${name} did not come up; its last words:\n${process?.lastWords()}`)
  }

  /** Whether it went well. */
  #kubectl(...args: readonly string[]): Promise<boolean> {
    const command = ['--kubeconfig', this.kubeconfig, '--namespace', 'default', ...args]
    return new Promise((resolve) => {
      execFile(this.kubectl, command, (error) => resolve(error === null))
    })
  }
}

async function choosePorts(): Promise<programs.Ports> {
  const names = ['etcdClient', 'etcdPeer', 'apiServer', 'controllerManager', 'scheduler', 'kwok'] as const
  const ports = await freePorts(names.length)
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as unknown as programs.Ports
}
