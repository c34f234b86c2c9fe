import { expect } from 'chai'
import { mutatedSource } from '../mutants/apply-mutant.ts'
import { DEFECTS } from './defects.ts'
import { firstToSee } from './try-defect.ts'

/** `npm run proof:defects` tries all of them. */
const TRIED = ['the first apply of an object takes the fields of others', 'an event during a run is lost']

describe('Seeded defects of the engine', () => {
  for (const defect of DEFECTS) {
    it(`can still be put in: ${defect.name}`, () => expect(() => mutatedSource(defect)).to.not.throw())
  }

  it('have a name each', () => expect(new Set(DEFECTS.map(({ name }) => name)).size).to.equal(DEFECTS.length))

  for (const defect of DEFECTS.filter(({ name }) => TRIED.includes(name))) {
    it(`are seen by a test: ${defect.name}`, async function () {
      this.timeout(120_000)
      expect(await firstToSee(defect)).to.be.a('string')
    })
  }
})
