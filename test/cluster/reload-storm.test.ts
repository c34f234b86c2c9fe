import { expect } from 'chai'
import { leaksOf, reloadStorm } from '../reloads/reload-storm.ts'

describe('a project that is exchanged 100 times a second', () => {
  it('is followed to its last version, and leaves nothing behind in the process', async function () {
    this.timeout(300_000)
    const figures = await reloadStorm({ seconds: 1 })
    expect(leaksOf(figures)).to.deep.equal([])
    expect(figures.reloads.invalid).to.be.at.least(1)
    expect(figures.reloads.used).to.be.at.least(20)
  })
})
