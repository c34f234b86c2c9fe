import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { FOREIGN_SLIPS, NO_SLIPS } from '../../engine/expression/foreign-slips.ts'
import { checkRoleText, webCrd } from '../../support/tried-role.ts'
import { fixedText, offeredFixes } from './fixed-text.ts'

/** Nothing is known of the fields of its spec, so that each slip has the one answer of the table. */
const CRD = webCrd('x: {type: string}').replace('required: [size]', 'x-kubernetes-preserve-unknown-fields: true')

const NOTATIONS = [
  { name: 'single quotes', write: (text: string) => `'${text.replaceAll("'", "''")}'` },
  { name: 'double quotes', write: (text: string) => JSON.stringify(text) },
  { name: 'a block of text', write: (text: string) => `|-\n        ${text}` },
]

/** Small files are read faster than a large one. */
const GROUPS = Array.from({ length: Math.ceil(FOREIGN_SLIPS.length / 20) }, (_, group) =>
  FOREIGN_SLIPS.slice(group * 20, group * 20 + 20),
)

/** Whether the table has the whole expression that is meant. */
const isExact = (meant: string): boolean => meant.startsWith('${')

describe('quick fixes of what is written as in another language', function () {
  this.timeout(60_000)

  for (const { name, write } of NOTATIONS) {
    for (const [group, slips] of GROUPS.entries()) {
      describe(`in ${name}, ${group + 1}`, () => {
        const text = roleOf(slips.map(({ written }) => write(`\${${written}}`)))
        let found: readonly Diagnostic[] = []
        let values: readonly JsonValue[] = []
        let left: readonly Diagnostic[] = []
        before(async () => {
          found = slipsAmong(await checkRoleText(text, { crd: CRD }))
          const fixed = fixedText(text, found)
          values = valuesIn(fixed)
          left = slipsAmong(await checkRoleText(fixed, { crd: CRD }))
        })

        for (const [index, { from, written, meant }] of slips.entries()) {
          const line = lineOf(index, text)
          it(`${from}: ${written}`, () => {
            const finding = found.find((one) => isAt(one, line))
            const fixes = finding ? offeredFixes(text, finding) : []
            const isKnown = finding?.hint?.startsWith('write `${') === true
            expect(isKnown || !isExact(meant), 'a hint that names the expression').to.equal(true)
            expect(fixes.length, finding?.hint).to.equal(isKnown ? 1 : 0)
            if (!isKnown) return
            expect(left.filter((one) => isAt(one, line)).map(({ message }) => message)).to.deep.equal([])
            const value = String(values[index]).replaceAll("'", '"')
            expect(finding?.hint?.replaceAll("'", '"').slice('write `'.length)).to.match(startOf(`${value}\``))
            expect(fixes[0]?.isPreferred).to.equal(finding?.hint?.endsWith('`') && !finding.hint.includes('`; '))
          })
        }
      })
    }
  }

  it('are more than sixty', () => {
    expect(FOREIGN_SLIPS.filter(({ meant }) => isExact(meant)).length).to.be.above(60)
  })

  it('are none at what is right', async () => {
    const text = roleOf(NO_SLIPS.map((source) => JSON.stringify(`\${${source}}`)))
    const found = await checkRoleText(text, { crd: CRD })
    expect(found.flatMap((one) => offeredFixes(text, one)).map(({ title }) => title)).to.deep.equal([])
  })
})

function roleOf(values: readonly string[]): string {
  return `tasks:\n${values.map((value, index) => `  - set:\n      value${index}: ${value}\n`).join('')}`
}

function lineOf(index: number, text: string): number {
  return text.split('\n').findIndex((line) => line.trimStart().startsWith(`value${index}: `)) + 1
}

/** In the line of the key, or in that of a block below it. */
function isAt({ line }: Diagnostic, key: number): boolean {
  return line === key || line === key + 1
}

function slipsAmong(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => code === 'RB1211')
}

function valuesIn(text: string): readonly JsonValue[] {
  const [document] = parseYaml(new SourceFile('role.yaml', text)).documents
  const { tasks = [] } = (document?.value ?? {}) as { readonly tasks?: readonly { readonly set: JsonObject }[] }
  return tasks.flatMap(({ set }) => Object.values(set) as JsonValue[])
}

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
}
