import type { Clock } from '../../../core/base/clock.ts'
import type { Writer } from '../../../core/kube/client.ts'
import { type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { secretValues } from '../../../core/kube/secret-values.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { AllSecrets } from '../../../engine/role/secrecy/run-secrecy.ts'
import { CountedCharts } from '../counted-charts.ts'
import { EngineTraffic, LEDGER } from '../engine-traffic.ts'
import { OperatorProcess } from '../operator-process.ts'
import { RecordedLog } from '../recorded-log.ts'
import type { Ending } from '../test-case.ts'
import type { ClusterOptions, FoundFailures, Settled, TestCluster } from '../test-cluster.ts'
import type { ClusterCrds } from './cluster-crds.ts'
import { aliasedWriter, type NamespaceAlias } from './namespace-alias.ts'
import { ObjectSnapshot } from './object-snapshot.ts'
import type { OwnObjects } from './own-objects.ts'
import { readObjects } from './read-objects.ts'
import { Removal } from './removal.ts'

export interface RealClusterOptions extends ClusterOptions {
  /** The project as the operator of the test runs it: within the namespaces of the test. */
  readonly confined: Project
  readonly namespace: string
  readonly watchNamespaces: readonly string[]
  readonly alias: NamespaceAlias
  readonly own: OwnObjects
  readonly crds: ClusterCrds
  readonly clock: Clock
  /** Milliseconds for which a step waits for what it expects. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** Of the person, who also sets up and clears away. */
  readonly connection: Connection
  connectOperator(): Promise<Connection>
  /** Called with what could not be removed. */
  onLeft(left: readonly string[]): void
}

/** Milliseconds without a request of the operator after which a step is looked at. */
const QUIET_PERIOD = 1000
/** Milliseconds between two looks. */
const LOOK_EVERY = 100

/** A part of a cluster that others may use, too, with an operator of the test's own. Time is that of the machine. */
export class RealTestCluster implements TestCluster {
  readonly isSteady = false
  readonly person: { readonly client: Writer }
  readonly traffic: EngineTraffic
  readonly log: RecordedLog
  readonly secretValues = new Set<string>()
  readonly writers = new Map<string, string>()
  readonly server: { readonly objects: ObjectSnapshot }
  readonly #options: RealClusterOptions
  readonly #secrets = new AllSecrets()
  readonly #charts: CountedCharts | undefined
  #process: OperatorProcess | undefined
  /** When the operator was last seen at work, and how many of its requests were answered by then. */
  #busyAt = 0
  #answered = 0

  constructor(options: RealClusterOptions) {
    const { alias, own, connection, charts } = options
    const spell = (text: string): string => alias.text(text)
    this.#options = options
    this.traffic = new EngineTraffic(spell)
    this.log = new RecordedLog(spell)
    this.#charts = charts && new CountedCharts(charts)
    this.person = { client: aliasedWriter(alias, own.confine(connection.client)) }
    this.server = { objects: new ObjectSnapshot((gvk) => this.#read(gvk)) }
  }

  get project(): Project {
    return this.#options.project
  }

  get secrets(): Pick<AllSecrets, 'texts' | 'roleNames'> {
    const { texts, roleNames } = this.#secrets
    return { texts: this.#both(texts), roleNames: this.#both(roleNames) }
  }

  async install(crd: KubeObject): Promise<void> {
    await this.#options.crds.install(crd)
  }

  async startOperator(): Promise<void> {
    const { confined, clock, namespace, watchNamespaces, connectOperator, own } = this.#options
    const connection = await connectOperator()
    this.#process = new OperatorProcess({
      connection: { ...connection, client: own.confine(connection.client) },
      cut: () => void connection.close(),
      ...{ project: confined, clock, namespace, watchNamespaces, traffic: this.traffic, charts: this.#charts },
      ...{ secrecy: this.#secrets, logger: this.log.logger },
      onWritten: (change, task) => {
        this.#secrets.onWritten(change, task)
        this.#see(change.after)
        if (task) this.writers.set(objectId(gvkOf(change.after), keyOf(change.after)), task.name)
      },
    })
  }

  async restartOperator(how: Ending): Promise<void> {
    if (how === 'crash') this.#process?.crash()
    await this.#process?.stop()
    await this.startOperator()
  }

  replaceFaults(): void {
    throw new Error('a cluster that is not a sandbox has no faults')
  }

  advance(milliseconds: number): Promise<void> {
    return this.pass(milliseconds)
  }

  async pass(milliseconds: number): Promise<void> {
    const { clock, signal, timeout } = this.#options
    await clock.sleep(Math.min(milliseconds, timeout), signal)
    signal.throwIfAborted()
  }

  async settle<Checked extends FoundFailures>(check: () => Checked): Promise<Settled<Checked>> {
    const { clock, timeout } = this.#options
    const end = clock.monotonic() + timeout
    this.#busyAt = clock.monotonic()
    for (;;) {
      const isQuiet = await this.#untilQuiet(end)
      const seen = this.traffic.answered
      const checked = await this.#look(check)
      const isOver = clock.monotonic() >= end
      if (isOver && !isQuiet) return { checked, unrest: `the operator still works after ${timeout / 1000} s` }
      if (isOver || (checked.failures.length === 0 && seen === this.traffic.answered)) return { checked }
      await this.pass(LOOK_EVERY)
    }
  }

  async stop(): Promise<void> {
    const { connection, confined, own, clock, timeout, onLeft } = this.#options
    const removal = new Removal({ connection, project: confined, own, clock, timeout })
    // The finalizers of its resources are taken off by the operator itself.
    await removal.removeResources()
    await this.#process?.stop()
    onLeft(await removal.removeRest())
  }

  /** False: time is over before. */
  async #untilQuiet(end: number): Promise<boolean> {
    const { clock } = this.#options
    for (;;) {
      if (this.traffic.answered !== this.#answered || this.traffic.isBusy || !(await this.#isIdle())) {
        this.#answered = this.traffic.answered
        this.#busyAt = clock.monotonic()
      } else if (clock.monotonic() - this.#busyAt >= QUIET_PERIOD) return true
      if (clock.monotonic() >= end) return false
      await this.pass(LOOK_EVERY)
    }
  }

  /** Whether the operator has nothing to do, or says so soon. */
  async #isIdle(): Promise<boolean> {
    const idle = this.#process?.idle().then(() => true)
    const given = this.#options.clock.sleep(LOOK_EVERY).then(() => false)
    return Promise.race([idle ?? true, given])
  }

  /** What a check makes of the cluster as it is now. Kinds that it asks for are read before it is asked once more. */
  async #look<Checked>(check: () => Checked): Promise<Checked> {
    const { objects } = this.server
    objects.list(SECRET)
    for (;;) {
      await objects.refresh()
      const checked = check()
      if (!objects.isIncomplete) return checked
    }
  }

  async #read(gvk: Gvk): Promise<readonly KubeObject[]> {
    const { connection, own, alias, signal } = this.#options
    const objects = await readObjects(gvk, { connection, namespaces: own.namespaces, signal })
    for (const object of objects) this.#see(object)
    return objects.map((object) => alias.object(object))
  }

  #see(object: KubeObject): void {
    if (object.metadata.name === LEDGER) return
    for (const [, value] of secretValues(object)) {
      this.secretValues.add(value)
      this.secretValues.add(this.#options.alias.base64(value))
    }
  }

  /** As the cluster has them, and as the author writes them. */
  #both(texts: ReadonlySet<string>): Set<string> {
    return new Set([...texts].flatMap((text) => [text, this.#options.alias.text(text)]))
  }
}

const SECRET = { group: '', version: 'v1', kind: 'Secret' }
