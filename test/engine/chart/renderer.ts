import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Clock } from '../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Chart, ChartSource, RenderRequest } from '../../../src/core/kube/helm-chart.ts'
import { ChartFailure } from '../../../src/engine/chart/chart-failure.ts'
import { type ChartLimits, HelmRenderer } from '../../../src/engine/chart/helm-renderer.ts'
import type { ChartCase } from './charts.ts'
import { KUBE_VERSION, RELEASE, type Templated } from './helm-template.ts'

/** As it is shipped. */
export const MODULE = new URL('../../../src/engine/chart/helm-engine.generated.bin', import.meta.url)

/** A renderer with the module that is shipped. Without a clock of the test, a rendering may take as long as the machine needs. */
export function newRenderer(limits: Partial<ChartLimits> = {}, clock?: Clock): HelmRenderer {
  const time = clock ? {} : { time: 500_000 }
  return new HelmRenderer({ module: () => readFileSync(MODULE), limits: { ...time, ...limits }, clock })
}

/** A chart in a folder; `Chart.yaml` need not be given. */
export function chartOf(files: Readonly<Record<string, string>>): ChartSource {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n', ...files }
  return { files: new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)])) }
}

/** A first install of a chart. The request says little about the cluster. */
export function requestFor(chart: Chart, more: Partial<RenderRequest> = {}): RenderRequest {
  return {
    chart,
    values: {},
    release: { name: 'shop', namespace: 'web', revision: 1 },
    capabilities: { kubeVersion: 'v1.36.4', apiVersions: ['v1', 'apps/v1'] },
    draws: [],
    now: Date.UTC(2026, 0, 1),
    ...more,
  }
}

/** What the renderer makes of a chart, in the form that records the output of `helm template`. */
export async function templated(
  renderer: HelmRenderer,
  { files, given = '{}' }: ChartCase,
  apiVersions: readonly string[],
): Promise<Templated> {
  try {
    const chart = await renderer.loadChart(chartOf({ 'Chart.yaml': '', ...files }))
    const values = (parse(given) ?? {}) as JsonObject
    const capabilities = { kubeVersion: KUBE_VERSION, apiVersions }
    const made = await renderer.render(requestFor(chart, { values, release: RELEASE, capabilities }))
    const documents = [...made.crds, ...made.manifests, ...made.hooks]
    return { documents: documents.map(({ source, object }) => ({ source, object })) }
  } catch (error) {
    if (!(error instanceof ChartFailure)) throw error
    return { error: error.message }
  }
}
