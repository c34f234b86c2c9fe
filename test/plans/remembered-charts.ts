import type { Chart, ChartRenderer, ChartSource, Rendering, RenderRequest } from '../../src/core/kube/helm-chart.ts'

/**
 * Renders each chart once with the same values, whenever that is: no chart of `roles/` looks at the time. That takes the time of the machine; from then on nothing does, so that all
 * lives see things happen in the same order.
 */
export class RememberedCharts implements ChartRenderer {
  readonly #charts: ChartRenderer
  readonly #loaded = new Map<ChartSource, Promise<Chart>>()
  readonly #rendered = new Map<string, Promise<Rendering>>()
  #pending = 0

  constructor(charts: ChartRenderer) {
    this.#charts = charts
  }

  /** How many charts have been rendered. */
  get rendered(): number {
    return this.#rendered.size
  }

  get isBusy(): boolean {
    return this.#pending > 0
  }

  loadChart(source: ChartSource): Promise<Chart> {
    return this.#remember(this.#loaded, source, () => this.#charts.loadChart(source))
  }

  render(request: RenderRequest): Promise<Rendering> {
    const { chart, values, release, capabilities } = request
    const key = JSON.stringify([chart.id, values, release, capabilities.apiVersions.length])
    return this.#remember(this.#rendered, key, () => this.#charts.render(request))
  }

  #remember<Key, T>(known: Map<Key, Promise<T>>, key: Key, work: () => Promise<T>): Promise<T> {
    const found = known.get(key)
    if (found) return found
    this.#pending++
    const result = work().finally(() => this.#pending--)
    known.set(key, result)
    return result
  }
}
