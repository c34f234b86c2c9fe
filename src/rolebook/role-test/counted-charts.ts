import type { Chart, ChartRenderer, ChartSource, Rendering, RenderRequest } from '../../core/kube/helm-chart.ts'

/** A renderer of charts that knows whether it is busy, because a rendering takes real time and not the time of the test. */
export class CountedCharts implements ChartRenderer {
  readonly #charts: ChartRenderer
  #pending = 0

  constructor(charts: ChartRenderer) {
    this.#charts = charts
  }

  get isBusy(): boolean {
    return this.#pending > 0
  }

  loadChart(source: ChartSource): Promise<Chart> {
    return this.#count(this.#charts.loadChart(source))
  }

  render(request: RenderRequest): Promise<Rendering> {
    return this.#count(this.#charts.render(request))
  }

  #count<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1
    return work.finally(() => {
      this.#pending -= 1
    })
  }
}
