import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/base/json.ts'
import { ChartFailure } from '../../src/chart/chart-failure.ts'
import type { HelmRenderer } from '../../src/chart/helm-renderer.ts'
import { sortProblems } from '../../src/chart/sort-problems.ts'
import { type ChartCase, chartCases, RECORDED } from './charts.ts'
import { KUBE_VERSION, RELEASE, type Templated } from './helm-template.ts'
import { chartOf, newRenderer, requestFor } from './renderer.ts'

const recorded = <T>(name: string): T => JSON.parse(readFileSync(join(RECORDED, `${name}.json`), 'utf8'))

describe('Helm charts, compared with what `helm template` made of them', function () {
  this.timeout(60_000)
  let renderer: HelmRenderer
  before(() => {
    renderer = newRenderer()
  })
  after(() => renderer.stop())

  const apiVersions = recorded<string[]>('api-versions')

  async function render({ files, given = '{}' }: ChartCase): Promise<Templated> {
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

  for (const each of chartCases()) {
    it(`agree: ${each.name}`, async () => expect(await render(each)).to.deep.equal(inOrder(recorded(each.name))))
  }

  it('are at least thirty, and nothing else is recorded', () => {
    const names = chartCases().map(({ name }) => name)
    expect(names).to.have.length.of.at.least(30)
    expect(readdirSync(RECORDED).sort()).to.deep.equal([...names, 'api-versions'].map((name) => `${name}.json`).sort())
  })
})

/** Helm lists the problems of values in another order each time. */
function inOrder({ documents, error }: Templated): Templated {
  return error === undefined ? { documents } : { error: sortProblems(error) }
}
