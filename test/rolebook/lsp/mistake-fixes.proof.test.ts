import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { manifestMistakes } from '../../seeded-mistakes/manifest-mistakes.ts'
import { Dice } from '../../support/dice.ts'
import { checkRoleText } from '../../support/tried-role.ts'
import { offeredFixes } from './fixed-text.ts'

/** Of the kinds of mistakes in manifests, those whose right text is known, each with how many are tried. */
const KNOWN: Readonly<Record<string, number>> = {
  'misspelt field': 6,
  'field in another case': 4,
  'misspelt kind': 4,
  'misspelt group': 3,
  'version that is gone': 3,
  'group of another kind': 3,
  'number for a text': 4,
  'enumeration that is none': 3,
  'misspelt name of an own object': 3,
  'key that the ConfigMap or Secret lacks': 2,
  'port of a Service by a name that no container has': 2,
  'port of a probe by a name that the container lacks': 2,
  'Jinja, Helm or Kustomize in a value': 2,
}

/** A hint that names one text to write. */
const EXACT = /^(?:did you mean |write (?:"|`apiVersion: [^`]+`$|`\$\{[^…]+\}`$))/

/** A right role in which most of these mistakes can be made. */
const ROLE = readFileSync(`${import.meta.dirname}/right-role.yaml`, 'utf8')

describe('quick fixes of mistakes made in a right role', function () {
  this.timeout(60_000)

  it('are none while the role is right', async () => {
    const found = await checkRoleText(ROLE)
    expect(found.map(({ message }) => message)).to.deep.equal([])
  })

  const all = Map.groupBy(manifestMistakes(ROLE), ({ mistake }) => mistake)
  const dice = new Dice(1)
  for (const [kind, count] of Object.entries(KNOWN)) {
    it(`${kind}: ${count}`, async () => {
      const left = [...(all.get(kind) ?? [])]
      expect(left.length, 'places for it').to.be.at.least(count)
      let fixed = 0
      for (let tried = 0; tried < count; tried++) {
        const [mistake] = left.splice(dice.below(left.length), 1)
        const text = mistake?.text ?? ''
        const found = await checkRoleText(text)
        for (const one of found.filter(({ hint = '' }) => EXACT.test(hint))) {
          const fixes = offeredFixes(text, one)
          expect(fixes.length, `${mistake?.what}: ${one.hint}`).to.be.above(0)
          for (const fix of fixes) {
            const rest = (await checkRoleText(fix.text)).map(idOf)
            expect(rest, `${mistake?.what}: ${fix.title}`).not.to.include(idOf(one))
          }
          fixed += 1
        }
      }
      expect(fixed, 'how many were mended').to.be.above(0)
    })
  }
})

function idOf({ code, line, message }: Diagnostic): string {
  return `${code} ${line} ${message}`
}
