import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import { inTime } from '../../core/base/in-time.ts'
import type { Chart, ChartRenderer, ChartSource, Rendering, RenderRequest } from '../../core/kube/helm-chart.ts'
import { ChartFailure, type ChartStage } from '../../engine/chart/chart-failure.ts'
import { NotTried } from '../trial/trial-run.ts'

/** Milliseconds for all charts of a check, from when the first is read. */
const LONGEST = 15_000

export interface TrialChartsOptions {
  readonly renderer: ChartRenderer & { stop(): Promise<void> }
  readonly clock: Clock
  /** Defaults to 15 s. */
  readonly longest?: number | undefined
}

/** Limits of the machine. They say nothing of the role. */
const OF_THE_MACHINE: ReadonlySet<ChartStage> = new Set(['time', 'memory', 'engine'])

/** A limit that was reached, or no thread to render in: Node may be told to give a program none (`--permission`). */
function isOfTheMachine(error: unknown): boolean {
  if (error instanceof ChartFailure) return OF_THE_MACHINE.has(error.stage)
  return /^ERR_(ACCESS_DENIED|WORKER)/.test((error as NodeJS.ErrnoException).code ?? '')
}

/** Renders charts for a trial for a limited time. What comes too late is left out, and the check says so. */
export class TrialCharts implements ChartRenderer {
  readonly #options: TrialChartsOptions
  #end: number | undefined
  #leftOut: string | undefined

  constructor(options: TrialChartsOptions) {
    this.#options = options
  }

  /** Why tasks that render a chart were left out. `undefined`: none was. */
  get leftOut(): string | undefined {
    return this.#leftOut
  }

  loadChart(source: ChartSource): Promise<Chart> {
    return this.#limited((renderer) => renderer.loadChart(source))
  }

  render(request: RenderRequest): Promise<Rendering> {
    return this.#limited((renderer) => renderer.render(request))
  }

  /** Ends what is still being rendered. */
  async close(): Promise<void> {
    if (this.#leftOut !== undefined) await this.#options.renderer.stop()
  }

  async #limited<Result>(work: (renderer: ChartRenderer) => Promise<Result>): Promise<Result> {
    const { clock, renderer, longest = LONGEST } = this.#options
    this.#end ??= clock.monotonic() + longest
    if (this.#leftOut !== undefined) throw new NotTried(this.#leftOut)
    const tooLate = (): NotTried => this.#leaveOut(`rendering them takes more than ${longest / 1000} s`)
    try {
      return await inTime(work(renderer), { clock, end: this.#end, tooLate })
    } catch (error) {
      if (isOfTheMachine(error)) throw this.#leaveOut(explain(error))
      throw error
    }
  }

  #leaveOut(why: string): NotTried {
    this.#leftOut ??= why
    return new NotTried(why)
  }
}
