import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/core/base/clock.ts'
import type { JsonObject } from '../../src/core/base/json.ts'
import { type Logger, nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { recording } from '../../src/core/kube/client-decorators.ts'
import { type Condition, conditionsOf, findCondition } from '../../src/core/kube/condition.ts'
import { type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { Operator, type OperatorOptions } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import type { RunReport } from '../../src/engine/reconcile/trace/run-trace.ts'
import type { ServerAccess } from '../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster, type SandboxOptions } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { fastClock } from './fast-clock.ts'
import { InMemoryCluster } from './in-memory-cluster.ts'
import { projectAt } from './running-operator.ts'

export const WIDGET: Gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
export const GADGET: Gvk = { group: 'example.com', version: 'v1', kind: 'Gadget' }
export const CONFIG_MAP: Gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
export const SECRET: Gvk = { group: '', version: 'v1', kind: 'Secret' }
export const DEPLOYMENT: Gvk = { group: 'apps', version: 'v1', kind: 'Deployment' }

/** Enough for a watch event to pass its socket, also while the machine is busy: both ends share one event loop. */
const DELIVERY_MS = 15
const DELIVERY_TURNS = 10

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** A CRD with a spec of anything. `status` is its schema; with null there is no subresource. */
export function crd(
  { group, version, kind }: Gvk,
  { scope = 'Namespaced', status = ANYTHING as JsonObject | null } = {},
): KubeObject {
  const singular = kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(status && { subresources: { status: {} } }),
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: ANYTHING, ...(status && { status }) } } },
        },
      ],
    },
  }
}

/** Widgets are namespaced, Gadgets are not. */
const CRDS = [crd(WIDGET), crd(GADGET, { scope: 'Cluster' })]

/** A project from texts: role files by name, and `watches.yaml` (defaults to Widgets with the role `widget`). */
export async function projectOf(roles: Readonly<Record<string, string>>, watches = WATCHES): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-test-'))
  try {
    writeFileSync(join(folder, 'watches.yaml'), watches)
    for (const [name, text] of Object.entries(roles)) {
      mkdirSync(join(folder, 'roles', name), { recursive: true })
      writeFileSync(join(folder, 'roles', name, 'role.yaml'), text)
    }
    return await projectAt({ watchesFile: join(folder, 'watches.yaml'), rolesPath: join(folder, 'roles') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const WATCHES = '- {group: example.com, version: v1, kind: Widget, role: widget}\n'

const PATIENCE_MS = 50_000

/** A sandbox cluster with Widgets and Gadgets, and an operator on it whose writes and runs are recorded. */
export class OperatorSandbox {
  readonly cluster: SandboxCluster | InMemoryCluster
  readonly client: KubeClient
  /** Writes of the operator, as `apply ConfigMap default/a`, without those of the ledger and of events. */
  readonly writes: string[] = []
  /** Events that the operator sent, by their names. */
  readonly events: string[] = []
  readonly reads: string[] = []
  readonly runs: RunReport[] = []
  readonly warnings: string[] = []
  operator: Operator | undefined
  #abort = new AbortController()
  #running: Promise<void> = Promise.resolve()

  /** With `port` or `tls`, other clients and processes reach it by `access`. Else requests stay in this process, which is faster. */
  static async start(given: Partial<SandboxOptions> = {}): Promise<OperatorSandbox> {
    const options = { clock: systemClock, logger: nopLogger, tls: false, ...given }
    const hasPort = given.port !== undefined || given.tls === true
    const cluster = await (hasPort ? SandboxCluster.start(options) : InMemoryCluster.start(options))
    for (const definition of CRDS) await cluster.install(definition)
    return new OperatorSandbox(cluster)
  }

  private constructor(cluster: SandboxCluster | InMemoryCluster) {
    this.cluster = cluster
    this.client = cluster.connection.client
  }

  get access(): ServerAccess {
    if (this.cluster instanceof InMemoryCluster) throw new Error('this sandbox has no port: start it with {port: 0}')
    return this.cluster.access
  }

  run(project: Project, options: Partial<OperatorOptions> = {}): Operator {
    const { mapper, openApi } = this.cluster.connection
    const client = this.#recorded(options.client ?? this.client)
    const logger = this.#logger()
    const onRun = (report: RunReport): void => void this.runs.push(report)
    const defaults = { mapper, openApi, clock: fastClock(10), logger, namespace: 'default', onRun }
    this.#abort = new AbortController()
    const operator = new Operator({ project, ...defaults, ...options, client })
    this.operator = operator
    this.#running = operator.start(this.#abort.signal)
    return operator
  }

  /** Puts another operator in the place of the one that runs; resolves when it has looked at so many resources. */
  async restart(project: Project, { runs = 1, ...options }: Partial<OperatorOptions> & { runs?: number } = {}) {
    await this.halt()
    this.runs.length = 0
    this.run(project, options)
    await this.until(
      async () => this.runs.length,
      (count) => count >= runs,
    )
  }

  /** Stops the operator, as a SIGTERM does. */
  async halt(): Promise<void> {
    this.#abort.abort(new Error('the test stops the operator'))
    await this.#running
  }

  async stop(): Promise<void> {
    await this.halt()
    await this.cluster.stop()
  }

  /** Writes an object as a person does, into `default` unless it says otherwise. */
  apply(object: KubeObject, fieldManager = 'person'): Promise<KubeObject> {
    return this.client.apply(this.#placed(object), { fieldManager, force: true })
  }

  async edit(gvk: Gvk, name: string, body: JsonObject, subresource?: 'status'): Promise<KubeObject> {
    const key = keyIn(gvk, name)
    return this.client.patch(gvk, key, { type: 'merge', body }, { fieldManager: 'person', subresource })
  }

  get(gvk: Gvk, name: string, namespace = 'default'): Promise<KubeObject | undefined> {
    return this.client.get(gvk, { ...keyIn(gvk, name), ...(isNamespaced(gvk) && { namespace }) })
  }

  async remove(gvk: Gvk, name: string): Promise<void> {
    await this.client.delete(gvk, keyIn(gvk, name), { propagationPolicy: 'Background' })
  }

  widget(name: string, spec: JsonObject = {}, metadata: KubeObject['metadata'] = {}): Promise<KubeObject> {
    return this.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...metadata }, spec })
  }

  /** Waits for what the cluster shows to become so. */
  async until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      const seen = await look()
      if (holds(seen)) return seen
      if (performance.now() > end) throw new Error(`it never came about; last seen: ${JSON.stringify(seen)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** Waits until there is no such object any more. */
  async gone(gvk: Gvk, name: string): Promise<void> {
    await this.until(
      () => this.get(gvk, name),
      (object) => object === undefined,
    )
  }

  /** Waits for the `Ready` condition to have a reason. */
  async ready(reason: string, { gvk = WIDGET, name = 'w', generation = 0 } = {}): Promise<Condition> {
    const look = async (): Promise<Condition | undefined> => this.condition('Ready', { gvk, name })
    const seen = await this.until(
      look,
      (condition) => condition?.reason === reason && (condition.observedGeneration ?? 0) >= generation,
    )
    return seen as Condition
  }

  async condition(type: string, { gvk = WIDGET, name = 'w' } = {}): Promise<Condition | undefined> {
    const object = await this.get(gvk, name)
    return object && findCondition(conditionsOf(object), type)
  }

  /** Waits until the operator has nothing to do, and returns what it wrote since the last call. */
  async settled(): Promise<readonly string[]> {
    for (let before = -1; before !== this.writes.length + this.runs.length; ) {
      before = this.writes.length + this.runs.length
      await this.operator?.idle()
      await delivered()
    }
    return this.writes.splice(0)
  }

  #recorded(client: KubeClient): KubeClient {
    const recorded = recording(client, ({ verb, gvk, key, subresource }) => {
      if (key.name === 'rolebook-ledger') return
      if (gvk.kind === 'Event') return void this.events.push(key.name)
      const name = key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
      this.writes.push(`${verb} ${gvk.kind}${subresource ? `/${subresource}` : ''} ${name}`)
    })
    return {
      ...recorded,
      get: (gvk, key, options) => {
        this.reads.push(`${gvk.kind} ${key.name}`)
        return recorded.get(gvk, key, options)
      },
    }
  }

  #logger(): Logger {
    const warn = (message: string): void => void this.warnings.push(message)
    const logger: Logger = { ...nopLogger, warn, error: warn, child: () => logger }
    return logger
  }

  #placed(object: KubeObject): KubeObject {
    const key = keyIn(gvkOf(object), object.metadata.name ?? '')
    if (key.namespace === '') return object
    return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? key.namespace } }
  }
}

/** What the server, which is in this process, has sent until now has arrived: the event loop has polled its sockets again and again. */
async function delivered(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DELIVERY_MS))
  for (let turn = 0; turn < DELIVERY_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function isNamespaced({ kind }: Gvk): boolean {
  return !['Gadget', 'Namespace', 'CustomResourceDefinition', 'ClusterRole'].includes(kind)
}

function keyIn(gvk: Gvk, name: string): { namespace: string; name: string } {
  return { namespace: isNamespaced(gvk) ? 'default' : '', name }
}
