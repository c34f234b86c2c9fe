import { expect } from 'chai'
import { MUTANTS } from '../mutants/mutants.ts'
import { firstToNotice } from '../mutants/try-mutant.ts'

/** `npm run test:mutants` tries all of them. */
const TRIED = ['no conflict on a stale PUT', 'a field that is no longer applied stays']

describe('Seeded defects of the sandbox, tried', function () {
  this.timeout(60_000)
  for (const mutant of MUTANTS.filter(({ name }) => TRIED.includes(name))) {
    it(`are noticed by a contract test: ${mutant.name}`, async () => {
      expect(await firstToNotice(mutant)).to.be.a('string')
    })
  }
})
