import { execFileSync } from 'node:child_process'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { Informer } from '../../src/engine/runtime/informer.ts'
import type { LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { installCrd } from '../support/install-crd.ts'
import { CONFIG_MAP, crd } from '../support/operator-sandbox.ts'
import { ProjectFolder } from '../support/project-folder.ts'
import { EditWaits } from './edit-waits.ts'
import { Replica } from './replica.ts'
import { ShardHistory } from './shard-history.ts'
import { WriteHistory } from './write-history.ts'

const PARCEL = { group: 'handovers.example.com', version: 'v1', kind: 'Parcel' }
const WATCHES = `- {group: ${PARCEL.group}, version: ${PARCEL.version}, kind: ${PARCEL.kind}, role: parcel}\n`
const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-first" }, data: { value: "\${spec.value}" } }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-second" }, data: { value: "\${spec.value}" } }
  - status: { value: "\${spec.value}" }
`
/** For each process that leads; shards need more, so that none is empty. */
const PARCELS = 6
const PARCELS_OF_SHARDS = 16
/** Milliseconds between two edits, so that there are always writes under way. */
const EDIT_EVERY = 40
const PLACES = ['a', 'b', 'c']

export interface HandoverBenchOptions {
  readonly timings: LeaseTimings
  /** Defaults to 1: one process leads. */
  readonly shards?: number
  /** A name for each process. Defaults to three. */
  readonly places?: readonly string[]
}

/** Processes of `rolebook run` that share one installation on a real API server, and an editor who keeps them at work. */
export class HandoverBench {
  readonly replicas: readonly Replica[]
  /** Of the lease, if one process leads. */
  readonly history: WriteHistory
  readonly shards: ShardHistory
  readonly waits = new EditWaits()
  readonly #connection: Connection
  readonly #namespace: string
  readonly #folder: ProjectFolder
  readonly #parcels: readonly string[]
  readonly #stopEdits = new AbortController()
  readonly #stopWatches = new AbortController()
  #edits: Promise<void> = Promise.resolve()
  #value = 0

  static async start(
    plane: ControlPlane,
    namespace: string,
    { timings, shards: count = 1, places = PLACES }: HandoverBenchOptions,
  ): Promise<HandoverBench> {
    const { kubeconfig } = plane
    const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'editor' })
    const kubectl = (...args: readonly string[]): string =>
      execFileSync(plane.kubectl, ['--kubeconfig', kubeconfig, ...args], { encoding: 'utf8' })
    await installCrd(connection, crd(PARCEL))
    kubectl('create', 'namespace', namespace)
    kubectl('--namespace', namespace, 'create', 'serviceaccount', 'rolebook')
    const account = `--serviceaccount=${namespace}:rolebook`
    kubectl('create', 'clusterrolebinding', namespace, '--clusterrole=cluster-admin', account)
    const folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/parcel/role.yaml': ROLE,
      'roles/parcel/crd.yaml': printYaml([crd(PARCEL)]),
    })
    const [history, shards] = [new WriteHistory(), new ShardHistory(count, namespace)]
    const args = [...projectArgs(folder), ...leaseArgs(timings), '--namespace', namespace, `--shards=${count}`]
    const operator = plane.serviceAccountKubeconfig(namespace, 'rolebook')
    const replicas: Replica[] = []
    const kept = count === 1 ? history : shards
    for (const place of places) replicas.push(await Replica.open(place, { kubeconfig: operator, args, history: kept }))
    return new HandoverBench({ replicas, history, shards, connection, namespace, folder })
  }

  private constructor(parts: {
    replicas: readonly Replica[]
    history: WriteHistory
    shards: ShardHistory
    connection: Connection
    namespace: string
    folder: ProjectFolder
  }) {
    this.replicas = parts.replicas
    this.history = parts.history
    this.shards = parts.shards
    const count = this.shards.all.length === 1 ? PARCELS : PARCELS_OF_SHARDS
    this.#parcels = Array.from({ length: count }, (_, place) => `p${place}`)
    this.#connection = parts.connection
    this.#namespace = parts.namespace
    this.#folder = parts.folder
  }

  /** Starts some processes, and an editor who never rests. */
  async beginWith(replicas: readonly Replica[]): Promise<void> {
    for (const gvk of [PARCEL, CONFIG_MAP]) this.#watch(gvk)
    for (const name of this.#parcels) await this.#edit(name)
    for (const replica of replicas) await replica.start()
    this.#edits = this.#keepEditing()
  }

  async begin(): Promise<void> {
    await this.beginWith(this.replicas)
    await this.untilHolder((holder) => holder !== undefined)
    await this.untilWrite(this.history.writes.length)
  }

  get leader(): Replica | undefined {
    return this.replicas.find(({ name }) => name === this.history.holder)
  }

  /** Until a process that is wanted holds the lease. */
  async untilHolder(isWanted: (holder: string | undefined) => boolean): Promise<void> {
    await this.until(() => isWanted(this.history.holder), 'the lease is held')
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    await until(holds, what, this)
  }

  /** Waits until the holder of the lease has changed something, after so many writes. */
  async untilWrite(after: number): Promise<void> {
    const isByHolder = (): boolean => this.history.writes.slice(after).some(({ by }) => by === this.history.holder)
    await until(isByHolder, 'the holder of the lease works', this)
  }

  /** Stops editing, and waits for everything to be as it was edited last. */
  async settle(): Promise<void> {
    this.#stopEdits.abort()
    await this.#edits
    const wanted = await this.#values({ ...PARCEL }, ({ spec }) => spec)
    const isDone = async (): Promise<boolean> => {
      const maps = await this.#values(CONFIG_MAP, ({ data }) => data)
      return this.#parcels.every(
        (name) => maps.get(`${name}-first`) === wanted.get(name) && maps.get(`${name}-second`) === wanted.get(name),
      )
    }
    while (!(await isDone())) await systemClock.sleep(100)
  }

  /** How many objects the roles have made, and of how many owners. */
  async children(): Promise<readonly string[]> {
    const maps = await this.#values(CONFIG_MAP, ({ data }) => data)
    return [...maps.keys()].filter((name) => /^p\d/.test(name)).sort()
  }

  async stop(): Promise<void> {
    this.#stopEdits.abort()
    await this.#edits
    this.#stopWatches.abort()
    for (const replica of this.replicas) await replica.close()
    await this.#folder.delete()
    await this.#connection.close()
  }

  #watch(gvk: typeof PARCEL): void {
    const spec = { gvk, namespace: this.#namespace }
    const informer = new Informer(spec, { client: this.#client, clock: systemClock, logger: nopLogger })
    informer.subscribe(({ object }) => this.waits.see(object))
    void informer.start(this.#stopWatches.signal)
  }

  async #keepEditing(): Promise<void> {
    const { signal } = this.#stopEdits
    while (!signal.aborted) {
      await this.#edit(this.#parcels[this.#value % this.#parcels.length] ?? '')
      await systemClock.sleep(EDIT_EVERY, signal)
    }
  }

  async #edit(name: string): Promise<void> {
    const value = String(++this.#value)
    const metadata = { name, namespace: this.#namespace }
    const object = { apiVersion: `${PARCEL.group}/${PARCEL.version}`, kind: PARCEL.kind, metadata, spec: { value } }
    const edited = await this.#client.apply(object, { fieldManager: 'editor', force: true })
    this.waits.noteEdit(name, this.#value)
    for (const history of [this.history, this.shards]) history.noteForeign(edited.metadata.resourceVersion)
  }

  async #values(gvk: typeof PARCEL, contentOf: (object: KubeObject) => unknown): Promise<Map<string, unknown>> {
    const { items } = await this.#client.list(gvk, { namespace: this.#namespace })
    return new Map(
      items.map((item) => [item.metadata.name ?? '', (contentOf(item) as { value?: string } | undefined)?.value]),
    )
  }

  get #client(): KubeClient {
    return this.#connection.client
  }
}

function projectArgs(folder: ProjectFolder): readonly string[] {
  return ['--watches-file', folder.path('watches.yaml'), '--roles-path', folder.path('roles')]
}

function leaseArgs({ leaseDuration, renewDeadline, retryPeriod }: LeaseTimings): readonly string[] {
  return [
    `--leader-election-lease-duration=${leaseDuration}ms`,
    `--leader-election-renew-deadline=${renewDeadline}ms`,
    `--leader-election-retry-period=${retryPeriod}ms`,
  ]
}

/** Longer than any lease here: what has not come about by then never does. */
const PATIENCE_MS = 120_000

async function until(holds: () => boolean, what: string, bench: HandoverBench): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it never came about that ${what}\n${logs(bench)}`)
    await systemClock.sleep(5)
  }
}

function logs({ replicas }: HandoverBench): string {
  return replicas.map(({ name, log }) => `${name}\n${log.slice(-3000)}`).join('\n')
}
