import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { HelmRenderer } from '../../../src/engine/chart/helm-renderer.ts'
import { sortProblems } from '../../../src/engine/chart/sort-problems.ts'
import { long } from '../../support/long-tests.ts'
import { callsIn, chartCases, RECORDED, SLOW_CHARTS } from './charts.ts'
import type { Templated } from './helm-template.ts'
import { newRenderer, templated } from './renderer.ts'

const recorded = <T>(name: string): T => JSON.parse(readFileSync(join(RECORDED, `${name}.json`), 'utf8'))

describe('Helm charts, compared with what `helm template` made of them', function () {
  this.timeout(60_000)
  let renderer: HelmRenderer
  before(() => {
    renderer = newRenderer()
  })
  after(() => renderer.stop())

  const apiVersions = recorded<string[]>('api-versions')

  for (const each of chartCases()) {
    long.it(`agree: ${each.name}`, async () =>
      expect(await templated(renderer, each, apiVersions)).to.deep.equal(inOrder(recorded(each.name))),
    )
  }

  it('are at least thirty, and nothing else is recorded', () => {
    const names = chartCases().map(({ name }) => name)
    expect(names).to.have.length.of.at.least(30)
    expect(readdirSync(RECORDED).sort()).to.deep.equal(
      [...names, 'api-versions', 'functions'].map((name) => `${name}.json`).sort(),
    )
  })

  it('call every function that templates have', () => {
    const called = new Set([...chartCases(), ...chartCases(SLOW_CHARTS)].flatMap((each) => [...callsIn(each)]))
    expect(recorded<string[]>('functions').filter((name) => !called.has(name))).to.deep.equal([])
  })
})

/** Helm lists the problems of values in another order each time. */
function inOrder({ documents, error }: Templated): Templated {
  return error === undefined ? { documents } : { error: sortProblems(error) }
}
