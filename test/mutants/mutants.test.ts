import { expect } from 'chai'
import { mutatedSource } from './apply-mutant.ts'
import { MUTANTS } from './mutants.ts'
import { firstToNotice } from './try-mutant.ts'

/** `npm run test:mutants` tries all of them. */
const TRIED = ['no conflict on a stale PUT', 'a field that is no longer applied stays']

describe('Seeded defects of the sandbox', () => {
  for (const mutant of MUTANTS) {
    it(`can still be put in: ${mutant.name}`, () => expect(() => mutatedSource(mutant)).to.not.throw())
  }
  for (const mutant of MUTANTS.filter(({ name }) => TRIED.includes(name))) {
    it(`are noticed by a contract test: ${mutant.name}`, async function () {
      this.timeout(60_000)
      expect(await firstToNotice(mutant)).to.be.a('string')
    })
  }
})
