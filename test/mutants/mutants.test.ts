import { expect } from 'chai'
import { mutatedSource } from './apply-mutant.ts'
import { MUTANTS } from './mutants.ts'

describe('Seeded defects of the sandbox', () => {
  for (const mutant of MUTANTS) {
    it(`can still be put in: ${mutant.name}`, () => expect(() => mutatedSource(mutant)).to.not.throw())
  }
})
