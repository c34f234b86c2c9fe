import { basename } from 'node:path'
import { expect } from 'chai'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { brokenCases } from '../broken/broken-cases.ts'
import { findingsWith } from '../broken/check-broken.ts'
import { offeredFixes } from './fixed-text.ts'

/** The places of files that an editor shows. */
const PLACES = ['roles', 'watches', 'crds', 'samples', 'tests']

/** Hints that name the text to write, and no choice. */
const EXACT =
  /^(?:did you mean |write (?:"|\["|`apiVersion: |`\$\{[^…]*\}`$|it without quotes)|indent it by |texts are joined by|a text needs quotes|YAML (?:needs quotes|ends unquoted text)|it is called |begin with `tasks:`|.*in backquotes|within a step|put it in quotes$)/

describe('quick fixes of broken files', function () {
  this.timeout(60_000)

  for (const { place, file, name, given, expected = '' } of brokenCases()) {
    if (!PLACES.includes(place) || !('text' in given) || !expected.includes('hint: ')) continue
    it(`${place}/${basename(file, '.md')}: ${name}`, async () => {
      const found = await findingsWith(place, given.text)
      for (const one of found) {
        const fixes = offeredFixes(given.text, one)
        if (EXACT.test(one.hint ?? '')) expect(fixes.length, `a fix for: ${one.message}: ${one.hint}`).to.be.above(0)
        for (const { text, title } of fixes) {
          const left = await findingsWith(place, text)
          expect(left.map(idOf), `${title}:\n${text}`).not.to.include(idOf(one))
          const isReadable = !found.some(isOfYaml)
          if (isReadable) expect(left.filter(isOfYaml).map(idOf), `${title}:\n${text}`).to.deep.equal([])
        }
      }
    })
  }
})

function idOf({ code, line, message }: Diagnostic): string {
  return `${code} ${line} ${message}`
}

function isOfYaml({ code }: Diagnostic): boolean {
  return /^RB10[01]\d$/.test(code)
}
