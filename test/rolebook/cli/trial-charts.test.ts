import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { Chart, ChartSource, Rendering, RenderRequest } from '../../../src/core/kube/helm-chart.ts'
import { ChartFailure, type ChartStage } from '../../../src/engine/chart/chart-failure.ts'
import { TrialCharts } from '../../../src/rolebook/cli/trial-charts.ts'
import { NotTried } from '../../../src/rolebook/trial/trial-run.ts'

const CHART: Chart = { id: 'a', name: 'web', version: '1.0.0', appVersion: undefined, values: {}, schema: undefined }
const RENDERING = { manifests: [], hooks: [], crds: [] } as unknown as Rendering
const SOURCE: ChartSource = { archive: new Uint8Array() }
const REQUEST = { chart: CHART } as RenderRequest

/** A renderer that answers when it is told to. */
function rendererOf(render: () => Promise<Rendering> = async () => RENDERING) {
  let [stops, loads] = [0, 0]
  return {
    loadChart: async () => {
      loads += 1
      return CHART
    },
    render,
    stop: async () => {
      stops += 1
    },
    get stops() {
      return stops
    },
    get loads() {
      return loads
    },
  }
}

const reasonOf = (error: unknown): unknown => (error instanceof NotTried ? error.message : error)

describe('the charts of a trial', () => {
  it('are rendered, and nothing is left out', async () => {
    const renderer = rendererOf()
    const charts = new TrialCharts({ renderer, clock: new FakeClock() })
    expect(await charts.loadChart(SOURCE)).to.equal(CHART)
    expect(await charts.render(REQUEST)).to.equal(RENDERING)
    await charts.close()
    expect([charts.leftOut, renderer.stops]).to.deep.equal([undefined, 0])
  })

  it('are left out once all of them take too long, and what is being rendered ends', async () => {
    const clock = new FakeClock()
    const renderer = rendererOf(() => new Promise(() => undefined))
    const charts = new TrialCharts({ renderer, clock, longest: 5_000 })
    await charts.loadChart(SOURCE)
    const pending = charts.render(REQUEST).catch(reasonOf)
    await clock.advance(5_000)
    expect(await pending).to.equal('rendering them takes more than 5 s')
    expect(await charts.loadChart(SOURCE).catch(reasonOf)).to.equal('rendering them takes more than 5 s')
    await charts.close()
    expect([charts.leftOut, renderer.stops]).to.deep.equal(['rendering them takes more than 5 s', 1])
    expect(renderer.loads, 'charts that were read').to.equal(1)
  })

  const STAGES: readonly { readonly stage: ChartStage; readonly isTried: boolean }[] = [
    { stage: 'engine', isTried: false },
    { stage: 'memory', isTried: false },
    { stage: 'time', isTried: false },
    { stage: 'template', isTried: true },
    { stage: 'values', isTried: true },
  ]
  for (const { stage, isTried } of STAGES) {
    it(`${isTried ? 'fail with the role' : 'are left out'} when the failure is of the stage ${stage}`, async () => {
      const failure = new ChartFailure(stage, 'it is so')
      const charts = new TrialCharts({ renderer: rendererOf(() => Promise.reject(failure)), clock: new FakeClock() })
      const error = await charts.render(REQUEST).catch((one: unknown) => one)
      if (isTried) expect(error).to.equal(failure)
      else expect(error).to.be.instanceOf(NotTried)
      expect(charts.leftOut).to.equal(isTried ? undefined : 'it is so')
    })
  }
})
