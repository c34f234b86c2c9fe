import type { RunReport, RunTrace } from '../reconcile/trace/run-trace.ts'
import { type Request, requestKey } from '../runtime/reconciler.ts'

export interface RunHistoryOptions {
  /** Runs kept of one resource. Defaults to 20. */
  readonly perResource?: number | undefined
  /** Bytes that all of them may take. Defaults to 8 MiB. */
  readonly bytes?: number | undefined
}

/** What is remembered of the runs of one resource. */
export interface ResourceHistory {
  /** The latest first. */
  readonly runs: readonly RunTrace[]
  /** Runs since the last of these that found nothing changed. */
  readonly skipped: number
  /** Milliseconds since 1970 of the last one that was skipped. */
  readonly skippedAt?: number | undefined
}

interface Resource {
  /** The latest last. */
  readonly runs: Run[]
  skipped: number
  skippedAt: number | undefined
}

interface Run {
  readonly key: string
  /** JSON text, which takes a fraction of the memory of the objects that it stands for. */
  readonly text: string
}

/** Bytes that a text costs besides its characters: its head, the objects around it, entries in tables, the name of its resource. */
const OVERHEAD = 500

/**
 * The last runs of each resource, in memory. If they take too much, the oldest are dropped, and the last run of a resource only if there is
 * nothing else to drop. A run that was skipped is counted and costs nothing.
 */
export class RunHistory {
  readonly #perResource: number
  readonly #limit: number
  readonly #resources = new Map<string, Resource>()
  /** The runs in the order in which they are dropped: first those that are not the last of their resource, then those that are. */
  readonly #former = new Set<Run>()
  readonly #last = new Set<Run>()
  #bytes = 0

  constructor({ perResource = 20, bytes = 8 * 1024 * 1024 }: RunHistoryOptions = {}) {
    this.#perResource = perResource
    this.#limit = bytes
  }

  /** How many bytes it takes, approximately. */
  get bytes(): number {
    return this.#bytes
  }

  record({ request, outcome, at, trace }: RunReport): void {
    const key = requestKey(request)
    if (outcome === 'gone') this.#forget(key)
    else if (outcome === 'skipped') this.#skip(key, at)
    else if (trace) this.#add(key, JSON.stringify(trace))
  }

  of(request: Request): ResourceHistory | undefined {
    const resource = this.#resources.get(requestKey(request))
    if (!resource) return undefined
    const { runs, skipped, skippedAt } = resource
    return { runs: runs.map(({ text }) => JSON.parse(text) as RunTrace).reverse(), skipped, skippedAt }
  }

  /** The latest run as JSON text. It is the same text as before while no other run has followed. */
  latest(request: Request): string | undefined {
    return this.#resources.get(requestKey(request))?.runs.at(-1)?.text
  }

  #add(key: string, text: string): void {
    const run: Run = { key, text }
    const resource = this.#resources.get(key) ?? { runs: [], skipped: 0, skippedAt: undefined }
    this.#resources.set(key, resource)
    const before = resource.runs.at(-1)
    if (before && this.#last.delete(before)) this.#former.add(before)
    resource.runs.push(run)
    resource.skipped = 0
    resource.skippedAt = undefined
    this.#last.add(run)
    this.#bytes += costOf(run)
    if (resource.runs.length > this.#perResource) this.#remove(resource.runs[0] as Run)
    for (const run of this.#oldest()) {
      if (this.#bytes <= this.#limit) break
      this.#remove(run)
    }
  }

  *#oldest(): Iterable<Run> {
    yield* this.#former
    yield* this.#last
  }

  #skip(key: string, at: number): void {
    const resource = this.#resources.get(key)
    if (!resource) return
    resource.skipped++
    resource.skippedAt = at
  }

  #forget(key: string): void {
    for (const run of [...(this.#resources.get(key)?.runs ?? [])]) this.#remove(run)
  }

  #remove(run: Run): void {
    const { runs } = this.#resources.get(run.key) as Resource
    runs.splice(runs.indexOf(run), 1)
    if (runs.length === 0) this.#resources.delete(run.key)
    this.#former.delete(run)
    this.#last.delete(run)
    this.#bytes -= costOf(run)
  }
}

function costOf({ text }: Run): number {
  // A text takes two bytes for each character as soon as one of them needs it.
  return OVERHEAD + text.length * (NOT_LATIN.test(text) ? 2 : 1)
}

const NOT_LATIN = /[^\0-\xff]/
