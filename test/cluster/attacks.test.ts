import { expect } from 'chai'
import { runAttacks } from '../attacks/attack-run.ts'
import { ATTACKS } from '../attacks/vectors.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/** Every seventh, so that each family is among them. */
const SOME = ATTACKS.filter((_, index) => index % 7 === 0)

describe('hostile expressions beside good resources', function () {
  this.timeout(600_000)

  it('harm no other resource: the process lives, the lease is renewed, each ends in a typed condition', async function () {
    const { kubeconfig } = await sharedControlPlane(this)
    const report = await runAttacks({ kubeconfig, attacks: SOME, documents: 3, good: 20, rounds: 1 })
    expect(report.samePid, 'the process is the same').to.equal(true)
    expect(report.polluted).to.equal(false)
    expect(report.untyped).to.deep.equal([])
    expect(report.strikes).to.be.greaterThan(90)
    expect(report.renewals).to.be.greaterThan(1)
    // A leader gives up when it could not renew for ten seconds.
    expect(report.longestRenewal).to.be.below(10_000)
  })
})
