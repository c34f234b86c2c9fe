import { Watchdog } from '../../test/control-plane/watchdog.ts'
import { installCrd } from '../../test/support/install-crd.ts'
import { type TemporaryFolder, temporaryFolder } from '../../test/support/temporary-folder.ts'
import { ContestantProcess } from '../cluster/contestant-process.ts'
import { rolebook } from '../cluster/contestants.ts'
import { Observer } from '../cluster/observer.ts'
import { type BenchRole, roleOf } from '../cluster/rolebook-project.ts'
import { GROUP, NAMESPACE, specOf, type Workload, widget, widgetCrd } from '../cluster/workload.ts'
import { inParallel } from '../in-parallel.ts'
import { ConfigMaps } from './config-maps.ts'
import { OperatorMetrics } from './operator-metrics.ts'
import type { EditServer } from './servers.ts'

const MANAGER = { fieldManager: 'bench' }
const REQUESTS_IN_FLIGHT = 16
const WIDGET = { group: GROUP, version: 'v1', kind: 'Widget' }
/** From one edited resource to the next: a prime, so that edits meet resources that wait, and such that have followed. */
const STRIDE = 7919
/** Without authentication, on loopback. */
const SERVE_METRICS = ['--metrics-bind-address=127.0.0.1:0', '--metrics-secure=false']

/** Of the edits that were sent while resources waited to follow a change of the role. */
export interface EditTimes {
  readonly change: string
  /** From the change of the role until no resource waited any more. */
  readonly seconds: number
  /** From the sending of each edit until a watch showed its ConfigMap as the edit wants it. */
  readonly milliseconds: readonly number[]
}

/** @throws Error when an object is not as it should be, or the operator ends */
export async function measureEdits(server: EditServer, resources: number): Promise<readonly EditTimes[]> {
  const workload: Workload = { resources, kinds: 1, objects: 3 }
  const folder = temporaryFolder()
  const watchdog = new Watchdog(folder.path)
  await createWidgets(server, workload)
  const command = rolebook({ workload, kubeconfig: server.kubeconfig, folder }, SERVE_METRICS)
  const operator = new ContestantProcess(command, folder.at('log'), watchdog)
  try {
    await operator.during(untilConverged(server, workload))
    await operator.untilQuiet()
    const storm = new EditStorm({ server, workload, operator, folder })
    const looks = await storm.during('a change that writes nothing', { ...roleOf(workload), vars: { unused: 1 } })
    await operator.untilQuiet()
    const writes = await storm.during('a change that writes a Secret of each', withLabel(roleOf(workload)))
    return [looks, writes]
  } finally {
    await operator.stop()
    watchdog.stop()
    folder.remove()
  }
}

async function createWidgets({ connection }: EditServer, workload: Workload): Promise<void> {
  const { client } = connection
  await installCrd(connection, widgetCrd('Widget'))
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, MANAGER)
  const create = (index: number): Promise<unknown> => client.create(widget(workload, index, 0), MANAGER)
  await inParallel(workload.resources, create, REQUESTS_IN_FLIGHT)
}

async function untilConverged({ connection }: EditServer, workload: Workload): Promise<void> {
  const observer = await Observer.start(connection.client, workload)
  await observer.converged().finally(() => observer.stop())
}

/** Not of the ConfigMap, by which edits are seen. */
function withLabel(role: BenchRole): BenchRole {
  const labelled = { labels: { changed: 'yes' } }
  const tasks = role.tasks.map((task) => {
    const { ensure } = task
    if (ensure?.kind !== 'Secret') return task
    return { ensure: { ...ensure, metadata: { ...ensure.metadata, ...labelled } } }
  })
  return { ...role, tasks }
}

interface StormOptions {
  readonly server: EditServer
  readonly workload: Workload
  readonly operator: ContestantProcess
  readonly folder: TemporaryFolder
}

/** Edits one resource after the other while all follow a change of their role. */
class EditStorm {
  readonly #options: StormOptions
  readonly #metrics: OperatorMetrics
  #revision = 0

  constructor(options: StormOptions) {
    this.#options = options
    this.#metrics = OperatorMetrics.namedIn(options.folder.at('log'))
  }

  async during(change: string, role: BenchRole): Promise<EditTimes> {
    const { server, workload, operator, folder } = this.#options
    this.#revision++
    const maps = await ConfigMaps.follow(server.connection.client)
    const startedAt = performance.now()
    folder.write('roles/widget/role.yaml', JSON.stringify(role, null, 2))
    try {
      await operator.during(this.#metrics.untilBacklog((waiting) => waiting > workload.resources / 2))
      const milliseconds = await operator.during(this.#editUntilNoneWaits(maps))
      return { change, seconds: (performance.now() - startedAt) / 1000, milliseconds }
    } finally {
      maps.stop()
    }
  }

  async #editUntilNoneWaits(maps: ConfigMaps): Promise<readonly number[]> {
    let isOver = false
    const over = this.#metrics
      .untilBacklog((waiting) => waiting === 0)
      .finally(() => {
        isOver = true
      })
    const milliseconds: number[] = []
    while (!isOver)
      milliseconds.push(await this.#edit(maps, (milliseconds.length * STRIDE) % this.#options.workload.resources))
    await over
    return milliseconds
  }

  /** Resolves with the milliseconds until its ConfigMap shows it. */
  async #edit(maps: ConfigMaps, index: number): Promise<number> {
    const name = `w-${index}`
    const spec = specOf(name, this.#revision)
    const { client } = this.#options.server.connection
    const startedAt = performance.now()
    const applied = maps.until(name, ({ text }) => text === spec.text)
    await client.patch(WIDGET, { namespace: NAMESPACE, name }, { type: 'merge', body: { spec } }, MANAGER)
    await applied
    return performance.now() - startedAt
  }
}
