import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type MetricDefinition, type MetricName } from './metric-table.ts'
import type { Priority } from './priority.ts'
import type { RelistReason } from './relist-reason.ts'

export interface MetricsOptions {
  /** The version of the program. */
  readonly version: string
  /** Whether to include metrics of the process: memory, processor, event loop. Only one instance may do so. Defaults to false. */
  readonly ofProcess?: boolean | undefined
}

/** A source that is read whenever the metrics are. */
export interface MetricSource {
  /** How many requests are ready, by class. */
  queues(): Iterable<QueueDepth>
  /** The kinds of hung runs, one for each run. */
  hungRuns(): Iterable<string>
  /** The watches: whether they deliver changes, and whether that matters. */
  watches(): Iterable<{ readonly kind: string; readonly live: boolean; readonly isNeeded: boolean }>
  /** Whether the process is the leader. */
  readonly leads: boolean
  /** The shards of the resources. None if they are not split. */
  shards(): Iterable<ShardState>
  /** How many resources have lost their role by a change of watches.yaml and keep their objects, by kind. */
  withoutRole(): ReadonlyMap<string, number>
}

export interface QueueDepth {
  readonly kind: string
  readonly depth: Readonly<Record<Priority, number>>
}

/** A shard, and how many resources it has if this process holds it. */
export interface ShardState {
  readonly index: number
  readonly held: boolean
  readonly resources: number
}

/** How long something took, of all kinds together since the start. Times are milliseconds: so many percent took at most so long. */
export interface Durations {
  readonly count: number
  readonly p50: number
  readonly p95: number
}

export interface ReconcileSample {
  readonly kind: string
  readonly priority: Priority
  /** Milliseconds. */
  readonly duration: number
  /** How many milliseconds the request was ready. */
  readonly waited: number
  /** Whether it was aborted at its deadline. */
  readonly isTimeout: boolean
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/**
 * The metrics of a running operator, with a method for each thing that happens. Labels are kinds, roles and tasks and never names of
 * resources, so that their number is bounded by the project.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #counters = new Map<string, Counter>()
  readonly #gauges = new Map<string, Gauge>()
  readonly #histograms = new Map<string, Histogram>()
  readonly #sources = new Set<MetricSource>()
  #isReloaded = true

  constructor({ version, ofProcess = false }: MetricsOptions) {
    const registers = [this.#registry]
    for (const [name, { type, help, labels: labelNames, buckets = [] }] of Object.entries<MetricDefinition>(METRICS)) {
      const common = { name, help, labelNames: [...labelNames], registers }
      if (type === 'counter') this.#counters.set(name, new Counter(common))
      else if (type === 'gauge') this.#gauges.set(name, new Gauge(common))
      else this.#histograms.set(name, new Histogram({ ...common, buckets: [...buckets] }))
    }
    this.#set('rolebook_build_info', { version }, 1)
    // Each measurement wakes up an idle process, so it is done rarely.
    if (ofProcess) collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 })
  }

  /** Notes that a call of the reconciler has ended. */
  reconciled({ kind, priority, duration, waited, isTimeout }: ReconcileSample): void {
    if (isTimeout) this.#count('rolebook_reconcile_timeouts_total', { kind })
    this.#observe('rolebook_reconcile_duration_seconds', { kind }, duration)
    this.#observe('rolebook_queue_wait_seconds', { class: priority }, waited)
  }

  controllerFailed(kind: string): void {
    this.#count('rolebook_controller_failures_total', { kind })
  }

  /** Notes the outcome of a run. */
  ran(kind: string, outcome: string): void {
    this.#count('rolebook_reconcile_total', { kind, outcome })
    if (outcome === 'skipped') this.#count('rolebook_skipped_runs_total', { kind })
  }

  taskRan(role: string, task: string, milliseconds: number): void {
    this.#observe('rolebook_task_duration_seconds', { role, task }, milliseconds)
  }

  evaluated(role: string, milliseconds: number): void {
    this.#observe('rolebook_expression_seconds', { role }, milliseconds)
  }

  driftCorrected(kind: string): void {
    this.#count('rolebook_drift_corrected_total', { kind })
  }

  childKept(kind: string): void {
    this.#count('rolebook_children_kept_total', { kind })
  }

  wrote(kind: string, verb: string, result: string): void {
    this.#count('rolebook_writes_total', { kind, verb, result })
  }

  relisted(kind: string, reason: RelistReason): void {
    this.#count('rolebook_relists_total', { kind, reason })
  }

  reloaded(result: 'used' | 'invalid' | 'refused' | 'delayed'): void {
    this.#count('rolebook_reloads_total', { result })
    this.#isReloaded = result === 'used'
  }

  /** Reads `source` from now on, until the returned function is called. */
  watch(source: MetricSource): () => void {
    this.#sources.add(source)
    return () => this.#sources.delete(source)
  }

  /** All metrics as text, in the format that an `Accept` header requests. */
  async expose(accept = ''): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#look()
    const text = await this.#registry.metrics()
    if (!/\bapplication\/openmetrics-text\b/.test(accept)) return { contentType: PROMETHEUS, text }
    return { contentType: OPEN_METRICS, text: toOpenMetrics(text) }
  }

  /** The durations that a histogram has counted. `undefined`: none yet. */
  async durations(name: MetricName): Promise<Durations | undefined> {
    const { values } = (await this.#histograms.get(name)?.get()) ?? { values: [] }
    const below = new Map<number, number>()
    for (const { metricName, labels, value } of values) {
      if (!metricName?.endsWith('_bucket')) continue
      const bound = Number(labels.le === '+Inf' ? Number.POSITIVE_INFINITY : labels.le)
      below.set(bound, value + (below.get(bound) ?? 0))
    }
    return durationsBelow([...below].toSorted(([left], [right]) => left - right))
  }

  #lookAtShards(): void {
    const resources = this.#gauges.get('rolebook_shard_resources')
    resources?.reset()
    for (const { index, held, resources: count } of [...this.#sources].flatMap((source) => [...source.shards()])) {
      this.#set('rolebook_shard_held', { shard: String(index) }, held ? 1 : 0)
      if (held) resources?.set({ shard: String(index) }, count)
    }
  }

  #look(): void {
    const depth = this.#gauges.get('rolebook_queue_depth')
    const live = this.#gauges.get('rolebook_watch_live')
    const hung = this.#gauges.get('rolebook_hung_runs')
    depth?.reset()
    hung?.reset()
    const held = this.#gauges.get('rolebook_watches')
    live?.reset()
    held?.reset()
    this.#set('rolebook_leader', {}, [...this.#sources].some(({ leads }) => leads) ? 1 : 0)
    this.#lookAtShards()
    const counts = [...this.#sources].flatMap((source) => [...source.withoutRole()])
    const withoutRole = this.#gauges.get('rolebook_resources_without_role')
    withoutRole?.reset()
    for (const [kind, count] of counts) withoutRole?.inc({ kind }, count)
    const isRoleLost = counts.length > 0
    this.#set('rolebook_last_reload_successful', {}, this.#isReloaded && !isRoleLost ? 1 : 0)
    const watches = new Map<string, boolean>()
    for (const source of this.#sources) {
      for (const kind of source.hungRuns()) hung?.inc({ kind })
      for (const { kind, depth: classes } of source.queues()) {
        for (const [name, count] of Object.entries(classes)) depth?.inc({ kind, class: name }, count)
      }
      for (const { kind, live: isLive, isNeeded } of source.watches()) {
        held?.inc({ kind })
        if (isNeeded) watches.set(kind, isLive && watches.get(kind) !== false)
      }
    }
    for (const [kind, isLive] of watches) live?.set({ kind }, isLive ? 1 : 0)
  }

  #count(name: MetricName, labels: Labels): void {
    this.#counters.get(name)?.inc(labels)
  }

  #set(name: MetricName, labels: Labels, value: number): void {
    this.#gauges.get(name)?.set(labels, value)
  }

  #observe(name: MetricName, labels: Labels, milliseconds: number): void {
    this.#histograms.get(name)?.observe(labels, milliseconds / 1000)
  }
}

/** `below`: how many values are below each bound, the lowest bound first. What is beyond the highest one counts as that. */
function durationsBelow(below: readonly (readonly [seconds: number, count: number])[]): Durations | undefined {
  const [, count = 0] = below.at(-1) ?? []
  if (count === 0) return undefined
  const highest = below.at(-2)?.[0] ?? 0
  const reached = (share: number): number => {
    const [seconds = highest] = below.find(([, reaching]) => reaching >= share * count) ?? []
    return Math.min(seconds, highest) * 1000
  }
  return { count, p50: reached(0.5), p95: reached(0.95) }
}

type Labels = Readonly<Record<string, string>>

/** Converts to OpenMetrics: families of counters lose their `_total`, samples keep it, there are no empty lines, and an end is marked. */
function toOpenMetrics(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+)_total counter$/.exec(line)?.[1] ?? []))
  const renamed = lines.map((line) =>
    line.replace(/^(# (?:TYPE|HELP)) (\S+)_total /, (whole, start, family) =>
      counters.has(family) ? `${start} ${family} ` : whole,
    ),
  )
  return `${renamed.join('\n')}\n# EOF\n`
}
