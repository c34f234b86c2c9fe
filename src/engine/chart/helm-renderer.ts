import { LRUCache } from 'lru-cache'
import { backgroundClock, type Clock } from '../../core/base/clock.ts'
import { hashJson, sha256 } from '../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import type {
  Chart,
  ChartRenderer,
  ChartSource,
  Release,
  Rendering,
  RenderRequest,
} from '../../core/kube/helm-chart.ts'
import { ChartFailure, type ChartStage } from './chart-failure.ts'
import type { HelmWorker } from './helm-worker.ts'
import { RenderTurns } from './render-turns.ts'
import { sortProblems } from './sort-problems.ts'
import { WorkerPool } from './worker-pool.ts'

export interface RendererOptions {
  /** Reads Helm's renderer, packed. Called when a chart is first read or rendered. */
  readonly module: () => Uint8Array
  readonly limits?: Partial<ChartLimits> | undefined
  /** For time limits, which are those of the machine also where a test moves the time. Defaults to the machine's. */
  readonly clock?: Clock | undefined
}

export interface ChartLimits {
  /** Milliseconds for one rendering. Defaults to 20 s: a chart may make RSA keys. */
  readonly time: number
  /** Bytes of the files of a chart, unpacked. Defaults to 20 MiB. */
  readonly chartSize: number
  /** Bytes of what it renders to. Defaults to 20 MiB. */
  readonly renderedSize: number
  /** How often a rendering may begin anew with answers to `lookup`. Defaults to 10. */
  readonly lookupRounds: number
  /** Threads at most. Defaults to 4. */
  readonly workers: number
  /** Milliseconds after which a thread without work ends. Defaults to one minute. */
  readonly idle: number
}

const DEFAULT_LIMITS: ChartLimits = {
  time: 20_000,
  chartSize: 20 * 2 ** 20,
  renderedSize: 20 * 2 ** 20,
  lookupRounds: 10,
  workers: 4,
  idle: 60_000,
}
/** Characters of renderings that are kept. */
const KEPT = 32 * 2 ** 20

/**
 * Renders Helm charts with Helm's own engine, in threads of its own, without files, network or environment.
 * The same request gives the same rendering.
 */
export class HelmRenderer implements ChartRenderer {
  readonly #limits: ChartLimits
  readonly #pool: WorkerPool
  readonly #charts = new WeakMap<ChartSource, Promise<Chart>>()
  /** How to load a chart into a worker. */
  readonly #loading = new WeakMap<Chart, string>()
  readonly #answers = new LRUCache<string, string>({ maxSize: KEPT, sizeCalculation: ({ length }) => length })
  readonly #turns: RenderTurns

  constructor({ module, limits = {}, clock = backgroundClock }: RendererOptions) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    const { time, renderedSize, workers, idle } = this.#limits
    this.#turns = new RenderTurns(clock, Math.ceil(workers / 2))
    this.#pool = new WorkerPool({ module, clock, limits: { time, largestAnswer: renderedSize }, workers, idle })
  }

  /**
   * Reads a chart, once: every run asks for its own. One that could not be read is tried again by the next.
   *
   * @throws ChartFailure when Helm cannot read it, or it is too large
   */
  loadChart(source: ChartSource): Promise<Chart> {
    const known = this.#charts.get(source)
    if (known) return known
    const chart = this.#readChart(source)
    this.#charts.set(source, chart)
    chart.catch(() => this.#charts.delete(source))
    return chart
  }

  /** @throws ChartFailure with Helm's own message, or the limit that was reached */
  async render(request: RenderRequest): Promise<Rendering> {
    const { lookup = async () => undefined } = request
    const lookups: { [query: string]: JsonObject } = {}
    for (let round = 0; round <= this.#limits.lookupRounds; round++) {
      const result = await this.#answerTo(request, lookups)
      if (!result.asks) return result
      for (const ask of result.asks) {
        const [apiVersion = '', kind = '', namespace = '', name = ''] = JSON.parse(ask) as string[]
        lookups[ask] = (await lookup({ apiVersion, kind, namespace, name })) ?? {}
      }
    }
    throw new ChartFailure('lookup', `what the chart looks up leads to more, ${this.#limits.lookupRounds} times over`)
  }

  /** How many threads there are at present. */
  get threads(): number {
    return this.#pool.size
  }

  /** Ends all threads. */
  stop(): Promise<void> {
    return this.#pool.stop()
  }

  async #readChart(source: ChartSource): Promise<Chart> {
    const size = sizeOf(source)
    const { chartSize } = this.#limits
    if ('size' in source || size > chartSize)
      throw new ChartFailure('size', `the chart has ${size} bytes, and ${chartSize} are allowed`)
    const content = { ...encode(source), maxSize: chartSize }
    const id = sha256(JSON.stringify(content))
    const loading = JSON.stringify({ name: id, ...content })
    const loaded = await this.#pool.use(id, (worker) => load(worker, id, loading))
    const chart = { id, ...toChart(loaded) }
    this.#loading.set(chart, loading)
    return chart
  }

  async #answerTo(request: RenderRequest, lookups: JsonObject): Promise<Rendering & { readonly asks?: string[] }> {
    const { chart, values, release, capabilities, draws, now } = request
    const content = { chart: chart.id, values, release: toOptions(release), capabilities, draws, lookups }
    const key = hashJson([content as unknown as JsonValue, now])
    const render = async (begin: () => void): Promise<string> => {
      // Another run may have asked for the same meanwhile.
      const known = this.#answers.get(key)
      if (known !== undefined) return known
      const answer = await this.#pool.use(chart.id, async (worker) => {
        if (!worker.charts.has(chart.id)) await load(worker, chart.id, this.#loading.get(chart) as string)
        begin()
        return worker.call({ name: 'render', request: JSON.stringify(content), wallTime: now })
      })
      this.#answers.set(key, answer)
      return answer
    }
    return parseAnswer(this.#answers.get(key) ?? (await this.#turns.take(chart, release, render)))
  }
}

interface LoadedChart {
  readonly metadata: { readonly name: string; readonly version: string; readonly appVersion?: string }
  readonly values: JsonObject | null
  /** Base64. */
  readonly schema?: string
}

async function load(worker: HelmWorker, id: string, loading: string): Promise<LoadedChart> {
  const loaded = parseAnswer<LoadedChart>(await worker.call({ name: 'load', request: loading, wallTime: 0 }))
  worker.charts.add(id)
  return loaded
}

function toChart({ metadata, values, schema }: LoadedChart): Omit<Chart, 'id'> {
  const { name, version, appVersion } = metadata
  const text = schema === undefined ? undefined : Buffer.from(schema, 'base64').toString('utf8')
  return { name, version, appVersion, values: values ?? {}, schema: text }
}

/** As Go's `ReleaseOptions` has them. */
function toOptions({ name, namespace, revision }: Release): JsonObject {
  const IsInstall = revision === 1
  return { Name: name, Namespace: namespace, Revision: revision, IsInstall, IsUpgrade: !IsInstall }
}

/** @throws ChartFailure with what Helm refused */
function parseAnswer<T>(answer: string): T {
  const { result, failure } = JSON.parse(answer) as { result: T; failure?: { stage: ChartStage; message: string } }
  if (failure) throw new ChartFailure(failure.stage, sortProblems(failure.message.trimEnd()))
  return result
}

function sizeOf(source: ChartSource): number {
  if ('size' in source) return source.size
  if ('archive' in source) return source.archive.length
  return [...source.files.values()].reduce((sum, { length }) => sum + length, 0)
}

function encode(source: Exclude<ChartSource, { size: number }>): JsonObject {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  if ('archive' in source) return { archive: base64(source.archive) }
  const files = [...source.files].map(([name, bytes]) => ({ name, data: base64(bytes) }))
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}
