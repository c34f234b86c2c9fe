import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import type { HelmRenderer } from '../../src/engine/chart/helm-renderer.ts'
import { chartOf, newRenderer } from '../engine/chart/renderer.ts'
import { chartProject } from './chart-project.ts'
import { CONFIG_MAP, OperatorSandbox } from './operator-sandbox.ts'

/** A sandbox for each test of a suite, on which an operator runs a chart, and one renderer for all of them. */
export interface ChartStage {
  readonly sandbox: OperatorSandbox
  readonly charts: HelmRenderer
  /** Runs a role with a chart of these files. */
  run(files: Readonly<Record<string, string>>, role?: string): Promise<void>
  /** What stands in a ConfigMap that the chart has made. */
  data(name: string): Promise<JsonValue | undefined>
  /** Waits until the resource `w` is ready; what was written. */
  settle(generation?: number): Promise<readonly string[]>
}

/** For the suite that calls it. */
export function chartStage(): ChartStage {
  let sandbox: OperatorSandbox
  let charts: HelmRenderer
  before(async () => {
    charts = newRenderer()
    // A thread takes its time to begin.
    await charts.loadChart(chartOf({}))
  })
  after(() => charts.stop())
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())
  return {
    get sandbox() {
      return sandbox
    },
    get charts() {
      return charts
    },
    run: async (files, role) => void sandbox.run(await chartProject(files, role), { charts }),
    data: async (name) => ((await sandbox.get(CONFIG_MAP, name))?.data as JsonObject | undefined)?.a,
    async settle(generation = 1) {
      await sandbox.ready('Ready', { generation })
      return sandbox.settled()
    },
  }
}
