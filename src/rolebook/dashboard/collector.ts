import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { RunHistory } from '../../engine/operator/run-history.ts'
import type { RunTrace } from '../../engine/reconcile/trace/run-trace.ts'
import type { Role } from '../../engine/role/role.ts'
import type { Metrics } from '../../engine/runtime/metrics.ts'
import type { Overview, ResourceRow } from '../ui/model.ts'
import { overviewOf } from './overview.ts'
import { dependsOnRun, nameOf, rowOf } from './resource-row.ts'
import { RowTable } from './row-table.ts'
import type { SeenOperator } from './seen-operator.ts'

export interface CollectorOptions {
  readonly operator: SeenOperator
  readonly history: Pick<RunHistory, 'of' | 'latest'>
  readonly metrics: Pick<Metrics, 'durations'>
  /** Of the program. */
  readonly version: string
  /** The name of the process. */
  readonly instance: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Milliseconds between two looks. */
const PERIOD = 500
/** Looking takes at most one part in so many of the time. */
const SHARE = 20

/** Looks at the caches of the operator while a page is open. It keeps nothing that the operator does not know, and rests without readers. */
export class Collector {
  readonly table = new RowTable()
  overview: Overview | undefined
  readonly #options: CollectorOptions
  readonly #readers = new Set<() => void>()
  #known = new WeakMap<KubeObject, KnownRow>()
  #cancel: (() => void) | undefined
  #isLooking = false

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /** Calls back with what is known, and after each look that found a change, until the function returned is called. */
  follow(onChange: () => void): () => void {
    this.#readers.add(onChange)
    if (this.overview) onChange()
    if (this.#readers.size === 1) void this.#look()
    return () => {
      this.#readers.delete(onChange)
      if (this.#readers.size > 0) return
      this.#cancel?.()
      this.#known = new WeakMap()
    }
  }

  /** A resource with its role, as the caches have it. */
  find(
    isWanted: (resource: KubeObject) => boolean,
  ): { readonly resource: KubeObject; readonly role: Role } | undefined {
    for (const found of this.#options.operator.resources()) if (isWanted(found.resource)) return found
    return undefined
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { clock, logger } = this.#options
    const began = clock.monotonic()
    try {
      const hasChanged = this.table.replace(this.#rows())
      const took = clock.monotonic() - began
      const overview = await overviewOf(this.#options)
      const isOther = JSON.stringify(overview) !== JSON.stringify(this.overview)
      this.overview = overview
      if (hasChanged || isOther) for (const onChange of this.#readers) onChange()
      this.#again(Math.max(PERIOD, took * SHARE))
    } catch (error) {
      logger.warn('the dashboard cannot read the state of the operator', { error: explain(error) })
      this.#again(PERIOD * SHARE)
    } finally {
      this.#isLooking = false
    }
  }

  #again(milliseconds: number): void {
    if (this.#readers.size > 0) this.#cancel = this.#options.clock.schedule(milliseconds, () => void this.#look())
  }

  *#rows(): IterableIterator<ResourceRow> {
    for (const { resource, role } of this.#options.operator.resources()) yield this.#rowOf(resource, role)
  }

  /** Thousands of resources are the same as at the last look: their rows are not made again. */
  #rowOf(resource: KubeObject, role: Role): ResourceRow {
    const { operator, history } = this.#options
    const objects = operator.objectsOf(resource.metadata.uid ?? '')
    const run = dependsOnRun(resource) ? history.latest(nameOf(resource)) : undefined
    const known = this.#known.get(resource)
    if (known && known.role === role && known.run === run && areSame(known.objects, objects)) return known.row
    const lastRun = run === undefined ? undefined : (JSON.parse(run) as RunTrace)
    const row = rowOf({ resource, role: role.name, objects, lastRun })
    this.#known.set(resource, { role, objects, run, row })
    return row
  }
}

/** A row, and what it was made of. */
interface KnownRow {
  readonly role: Role
  readonly objects: readonly KubeObject[]
  readonly run: string | undefined
  readonly row: ResourceRow
}

function areSame(left: readonly KubeObject[], right: readonly KubeObject[]): boolean {
  return left.length === right.length && left.every((object, index) => object === right[index])
}
