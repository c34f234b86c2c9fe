import { expect } from 'chai'
import { DamagedProject } from './damaged-project.ts'

const FILES = 60
const SEED = 1

/** The short form of `npm run proof:check`. */
describe('a project with a damaged file', function () {
  this.timeout(120_000)
  let project: DamagedProject

  before(() => {
    project = new DamagedProject('memcached')
  })
  after(() => {
    project.remove()
  })

  it('is checked to the end, and most of the damage is found', async () => {
    let found = 0
    for (let seed = SEED; seed < SEED + FILES; seed++) if ((await project.check(seed)).findings > 0) found++
    expect(found).to.be.above(FILES / 2)
  })
})
