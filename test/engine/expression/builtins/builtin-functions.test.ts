import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import { BUILTIN_ERRORS } from '../../../../src/engine/expression/builtins/builtin-error.ts'
import { BUILTIN_FUNCTIONS } from '../../../../src/engine/expression/builtins/builtin-functions.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8')
const library = new Map(
  [...source.matchAll(/staticFrame\.bind\('(\w+)', defineFunction\([\w.]+, '([^']+)'\)\)/g)].map(
    ([, name, signature]) => [name, signature] as const,
  ),
)
const refused = ['random', 'shuffle', 'eval', 'clone']

describe('BUILTIN_FUNCTIONS', () => {
  it('has every function of the library but those whose results depend on more than their inputs', () => {
    const names = BUILTIN_FUNCTIONS.map(({ name }) => name)
    expect(names.toSorted()).to.deep.equal(
      [...library.keys()].filter((name) => !refused.includes(name ?? '')).toSorted(),
    )
  })

  for (const { name, signature } of BUILTIN_FUNCTIONS) {
    it(`has the library's signature of $${name}`, () => {
      expect(signature).to.equal(library.get(name))
    })
  }

  it("uses the library's error codes, or our own", () => {
    const known = new Set([...source.matchAll(/"([DT]\d{4})": "/g)].map(([, code]) => code))
    const unknown = Object.keys(BUILTIN_ERRORS).filter((code) => !known.has(code) && !/^E11\d\d$/.test(code))
    expect(unknown).to.deep.equal([])
  })
})
