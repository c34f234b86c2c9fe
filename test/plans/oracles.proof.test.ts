import { expect } from 'chai'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { BROKEN_ENGINES } from './broken-engines.ts'
import { ORACLES } from './oracles.ts'
import { RememberedCharts } from './remembered-charts.ts'
import { PlanRunner } from './run-plan.ts'

describe('The oracles of lives under faults', function () {
  this.timeout(60_000)
  const charts = new RememberedCharts(sharedHelmRenderer())
  const runner = new PlanRunner({ schemas: loadBuiltinSchemas(), charts })

  it('have a reason each', () => {
    for (const { name, reason } of ORACLES) expect(reason, name).to.match(/^[A-Z`].{40,}\.$/)
  })

  it('have an engine each that breaks them', () => {
    const broken = new Set(BROKEN_ENGINES.map(({ oracle }) => oracle))
    expect(ORACLES.map(({ name }) => name).filter((name) => !broken.has(name))).to.deep.equal([])
  })

  for (const { oracle, defect, role, breakClient } of BROKEN_ENGINES) {
    it(`see that ${defect}: ${oracle}`, async () => {
      const { divergences } = await runner.run({ role, faults: [] }, breakClient)
      expect(divergences.map((divergence) => divergence.oracle)).to.include(oracle)
    })
  }
})
