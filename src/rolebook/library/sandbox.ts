/** `rolebook/sandbox`: a Kubernetes API server in this process. */
import { systemClock } from '../../core/base/clock.ts'
import { FakeClock } from '../../core/base/fake-clock.ts'
import { nopLogger } from '../../core/base/logger.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { FaultInjector } from '../../sandbox/apiserver/faults/fault-injector.ts'
import type { FaultPlan } from '../../sandbox/apiserver/faults/fault-plan.ts'
import { parseServiceRange } from '../../sandbox/apiserver/kinds/service/service-range.ts'
import { ENVTEST } from '../../sandbox/cluster/envtest.ts'
import { printKubeconfig, writeKubeconfig } from '../../sandbox/cluster/kubeconfig.ts'
import { type SandboxOptions as ClusterOptions, SandboxCluster } from '../../sandbox/cluster/sandbox-cluster.ts'
import { ObjectClient } from './object-client.ts'
import { keepSandboxParts } from './sandbox-parts.ts'

export type { JsonArray, JsonObject, JsonValue } from '../../core/base/json.ts'
export type { KubeObject, ObjectMeta } from '../../core/kube/object.ts'
export type { FaultAction, FaultCondition, FaultPlan, FaultRule } from '../../sandbox/apiserver/faults/fault-plan.ts'
export type { KindReference, ObjectChange, ObjectClient, ObjectReference, ObjectSelection } from './object-client.ts'

export interface SandboxOptions {
  /** Of 127.0.0.1. Defaults to a free one; with `data`, to the one before. */
  readonly port?: number | undefined
  /** A folder that keeps the objects from one start to the next. Defaults to memory only. */
  readonly data?: string | undefined
  /** Whether controllers of workloads are simulated: a Deployment makes Pods, which become ready. Defaults to true. */
  readonly workloads?: boolean | undefined
  /**
   * As the API server alone that envtest starts: no controllers, no ServiceAccounts for pods, Services in 10.0.0.0/24.
   * Objects whose owner is gone stay, and so do namespaces that are deleted. Defaults to false.
   */
  readonly envtest?: boolean | undefined
  /** The addresses of Services, from /12 to /30. Defaults to `10.96.0.0/12`, and with `envtest` to `10.0.0.0/24`. */
  readonly serviceClusterIpRange?: string | undefined
  /** Who may do what: `rbac` asks roles and bindings. Defaults to `always-allow`, for every client with a token. */
  readonly authorization?: 'rbac' | 'always-allow' | undefined
  /** Defaults to true. kubectl sends no token over plain HTTP. */
  readonly tls?: boolean | undefined
  /** `manual`: the time of the server stands still, and `clock.advance` moves it. Defaults to `system`. */
  readonly clock?: 'system' | 'manual' | undefined
  /** What goes wrong from the start. Defaults to nothing. */
  readonly faults?: FaultPlan | undefined
}

/** The time of a sandbox. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Moves the time forward by so many milliseconds, and fires the timers that fall due on the way.
   *
   * @throws Error unless the sandbox was started with `clock: 'manual'`
   */
  advance(milliseconds: number): Promise<void>
}

/** Requests that go wrong on purpose. */
export interface SandboxFaults {
  /** Replaces the plan; the counters of its rules begin anew. */
  replace(plan: FaultPlan): void
  /** From now on nothing goes wrong. */
  clear(): void
}

/**
 * A Kubernetes API server in the memory of this process, which any client of Kubernetes may use.
 *
 * It listens on 127.0.0.1 until `stop`, and keeps the process alive for as long.
 */
export class Sandbox implements AsyncDisposable {
  /** Of the server: `https://127.0.0.1:41234`. */
  readonly url: string
  /** The text of a kubeconfig, for an administrator of the server. */
  readonly kubeconfig: string
  readonly client: ObjectClient
  readonly clock: SandboxClock
  readonly faults: SandboxFaults
  readonly #cluster: SandboxCluster

  /**
   * Resolves when the server answers, after about a tenth of a second.
   *
   * @throws Error when the port is taken, another process has the folder, or the range of Services is none
   */
  static async start(options: SandboxOptions = {}): Promise<Sandbox> {
    const { clock: kind = 'system', faults: plan = NO_FAULTS, envtest, serviceClusterIpRange, ...rest } = options
    const manual = kind === 'manual' ? new FakeClock() : undefined
    const clock = manual ?? systemClock
    const faults = new FaultInjector(plan, clock)
    const ports = { clock, clientClock: systemClock, logger: nopLogger, faults }
    const server = { ...(envtest && ENVTEST), ...rangeOf(serviceClusterIpRange) }
    const cluster = await SandboxCluster.start({ ...rest, ...server, ...ports })
    const sandbox = new Sandbox(cluster, { clock: { now: () => clock.now(), advance: advancing(manual) }, faults })
    keepSandboxParts(sandbox, { access: cluster.access, clock, isManual: manual !== undefined })
    return sandbox
  }

  private constructor(
    cluster: SandboxCluster,
    { clock, faults }: { readonly clock: SandboxClock; readonly faults: FaultInjector },
  ) {
    this.#cluster = cluster
    this.url = cluster.access.url
    this.kubeconfig = printKubeconfig(cluster.access)
    this.client = new ObjectClient(cluster.connection)
    this.clock = clock
    this.faults = {
      replace: (plan) => faults.replacePlan(plan),
      clear: () => faults.replacePlan(NO_FAULTS),
    }
  }

  /** Writes the kubeconfig to a file that only its owner may read, and makes its folder. */
  writeKubeconfig(path: string): void {
    writeKubeconfig(path, this.#cluster.access)
  }

  /** Applies CustomResourceDefinitions, and resolves when the server serves their kinds. */
  async install(...crds: readonly KubeObject[]): Promise<void> {
    await this.#cluster.install(...crds)
  }

  /** Applies an object as its manifest says, and takes over fields that others own. */
  async apply(object: KubeObject): Promise<KubeObject> {
    return this.client.apply(object)
  }

  /** Ends all connections and frees the port. A second call does nothing. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#cluster.stop()
    await this.#stopped
  }

  #stopped: Promise<void> | undefined

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

const NO_FAULTS: FaultPlan = { seed: 0, rules: [] }

function rangeOf(text: string | undefined): Pick<ClusterOptions, 'serviceRange'> {
  if (text === undefined) return {}
  const serviceRange = parseServiceRange(text)
  if (serviceRange) return { serviceRange }
  throw new Error(`cannot give Services addresses of ${text}: use a range of IPv4 from /12 to /30, such as 10.0.0.0/24`)
}

function advancing(clock: FakeClock | undefined): SandboxClock['advance'] {
  return async (milliseconds) => {
    if (!clock) throw new Error("cannot advance the clock of the sandbox: start it with clock: 'manual'")
    await clock.advance(milliseconds)
  }
}
