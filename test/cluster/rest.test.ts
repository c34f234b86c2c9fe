import { expect } from 'chai'
import { DISTURBANCES } from '../rest/disturbances.ts'
import { type RestReport, RestRun } from '../rest/rest-run.ts'
import { installOperator } from './operator-account.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/** The short form of `npm run proof:rest`. */
describe('an operator over many resources on a real server', function () {
  this.timeout(300_000)
  let report: RestReport

  before(async function () {
    const plane = await sharedControlPlane(this)
    installOperator(plane)
    report = await RestRun.run(plane, {
      resources: 12,
      disturbances: 40,
      seed: 20_261_121,
      rest: async (renewed) => {
        for (let count = 0; count < 4; count++) await renewed()
      },
      onProgress: () => undefined,
    })
  })

  it('writes nothing at rest but its lease', () => {
    expect(report.writesAtRest).to.deep.equal([])
    expect(report.renewals).to.equal(4)
  })

  it('has put everything right after disturbances of each sort', () => {
    expect(report.different).to.deep.equal([])
    expect([...report.disturbed.keys()]).to.include.members(Object.keys(DISTURBANCES).slice(0, -1))
  })
})
