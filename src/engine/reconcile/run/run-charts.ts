import { hashJson } from '../../../core/base/hash.ts'
import type { JsonValue } from '../../../core/base/json.ts'
import type {
  Capabilities,
  Chart,
  ChartRenderer,
  ChartSource,
  Rendering,
  RenderRequest,
} from '../../../core/kube/helm-chart.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { ChartPort, ObjectTarget } from '../../role/run-context.ts'
import type { ObjectTools, RunObjects, RunScope } from '../apply/object-port.ts'
import { OWNER_UID_LABEL } from '../ownership/marks.ts'
import { childRead } from './run-reads.ts'

export interface RunChartsOptions {
  readonly renderer: ChartRenderer
  readonly tools: Pick<ObjectTools, 'mapper' | 'caches'>
  readonly run: Pick<RunScope, 'owner' | 'rules' | 'inputs' | 'subscribe' | 'isFinal'>
  readonly objects: Pick<RunObjects, 'ensured'>
  readonly remove: (object: KubeObject) => Promise<void>
}

/** The capabilities of a server that cannot be asked. */
const NOTHING_KNOWN: Capabilities = { kubeVersion: 'v1.30.0', apiVersions: [] }

/** The chart port of one run: the capabilities of the server, and the objects of hooks, which are created once and not enforced. */
export class RunCharts implements ChartPort {
  readonly #options: RunChartsOptions

  constructor(options: RunChartsOptions) {
    this.#options = options
  }

  get isFinal(): boolean {
    return this.#options.run.isFinal
  }

  loadChart(source: ChartSource): Promise<Chart> {
    return this.#options.renderer.loadChart(source)
  }

  render(request: RenderRequest): Promise<Rendering> {
    return this.#options.renderer.render(request)
  }

  async served(): Promise<Capabilities> {
    const { run, tools } = this.#options
    const ask = async (): Promise<Capabilities> => (await tools.mapper.served?.()) ?? NOTHING_KNOWN
    const served = await ask()
    const { gvk, key } = run.owner
    const subscription = { kind: 'object', type: gvk, key } as const
    run.inputs.record({ id: 'served', subscription, current: async () => [standIn(await ask())] }, [standIn(served)])
    return served
  }

  async child(target: ObjectTarget): Promise<KubeObject | undefined> {
    const { run, tools } = this.#options
    const read = childRead(tools.caches, target.gvk, await this.#keyOf(target))
    run.subscribe(read.subscription)
    const seen = await read.current()
    run.inputs.record(read, seen)
    return seen.find(({ metadata }) => metadata.labels?.[OWNER_UID_LABEL] === run.owner.uid)
  }

  async keep(target: ObjectTarget, task: string): Promise<void> {
    this.#options.objects.ensured.push({ task, gvk: target.gvk, key: await this.#keyOf(target) })
  }

  remove(object: KubeObject): Promise<void> {
    return this.#options.remove(object)
  }

  async #keyOf({ gvk, name, namespace }: ObjectTarget): Promise<ObjectKey> {
    const { run, tools } = this.#options
    return run.rules.resolve(await tools.mapper.mappingFor(gvk), { name, namespace }, 'write')
  }
}

/** An object that stands for the capabilities, so that runs can compare its version. */
function standIn(served: Capabilities): KubeObject {
  const resourceVersion = hashJson(served as unknown as JsonValue)
  return { apiVersion: 'v1', kind: 'Served', metadata: { name: 'served', uid: 'served', resourceVersion } }
}
