import { expect } from 'chai'
import { runCanaries } from './canary-runs.ts'
import { placesOf } from './places.ts'

const SEED = 20_261_121
const PLACES = placesOf('any').length
const RUNS = 2 * PLACES

describe('whatever a role does with a secret value', function () {
  this.timeout(120_000)

  it(`no sink shows it (${RUNS} random roles, seed ${SEED})`, async () => {
    const { runs, places, outcomes, leaks } = await runCanaries({ runs: RUNS, seed: SEED, width: PLACES })
    expect(leaks, JSON.stringify(leaks[0], null, 1)).to.deep.equal([])
    expect(runs).to.equal(RUNS)
    // Roles that check refuses, or that end well, are no proof of anything.
    expect(places.size).to.equal(PLACES)
    expect(outcomes.get('failed')).to.be.greaterThan(RUNS)
  })
})
