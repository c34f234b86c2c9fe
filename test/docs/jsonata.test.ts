import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import { compileExpression } from '../../src/engine/expression/compile-expression.ts'
import { slipInBroken, slipInReadable } from '../../src/engine/expression/foreign/find-slip.ts'
import { ROLE_FUNCTIONS } from '../../src/engine/role/functions/functions.ts'

const PAGE = readFileSync('docs/jsonata-for-jinja-cel-helm.md', 'utf8')
const RESOURCE = parse(/^```yaml\n([\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '') as JsonObject
const KNOWN = { functions: new Set(ROLE_FUNCTIONS.keys()) }
const ADVICE = /^write `\$\{(.*)\}`$/

/** Where check gives another advice, since it does not know what a name stands for. */
const WITHOUT_TYPES = new Set([
  'spec.title | length',
  'size(spec.title)',
  'lists.range(3)',
  'spec.env.map(k, {"name": k, "value": spec.env[k]})',
])

interface Row {
  readonly foreign: readonly string[]
  readonly jsonata: string
  readonly gives: JsonValue
}

/** The rows of the tables that say what an expression gives. */
function rowsOf(page: string): readonly Row[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| '))
  const cells = lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(codeIn),
  )
  return cells.flatMap(([jinja = '', cel = '', _helm, jsonata = '', gives = '']) =>
    /^[\d"[{]|^(?:true|false)$/.test(gives) ? [{ foreign: [jinja, cel], jsonata, gives: JSON.parse(gives) }] : [],
  )
}

/** The text of a cell, when it is code as a whole. */
function codeIn(cell: string): string {
  const [, , code = ''] = /^(`+)([\s\S]*?)\1$/.exec(cell.trim()) ?? []
  return code.replaceAll('\\|', '|').trim()
}

function evaluate(source: string): JsonValue | undefined {
  const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
  return expression.evaluate({ input: RESOURCE, variable: () => undefined })
}

/** What `rolebook check` advises to write in the place of an expression of another language. */
function adviceFor(source: string): string | undefined {
  const slip = slipInBroken(source, KNOWN) ?? slipInReadable(source, KNOWN)
  return ADVICE.exec(slip?.hint ?? '')?.[1]
}

describe('JSONata beside Jinja, CEL and Helm', () => {
  const rows = rowsOf(PAGE)

  it('has many rows', () => expect(rows.length).to.be.greaterThan(50))

  for (const { jsonata, gives } of rows) {
    it(`gives what the page says: ${jsonata}`, () => expect(evaluate(jsonata)).to.deep.equal(gives))
  }

  it('says what check advises', () => {
    const all = rows.flatMap(({ foreign, gives }) =>
      foreign.map((source) => ({ source, gives, advice: adviceFor(source) })),
    )
    const known = all.filter(({ source, advice }) => advice !== undefined && !WITHOUT_TYPES.has(source))
    expect(known.length).to.be.greaterThan(50)
    for (const { source, advice = '', gives } of known) {
      expect([evaluate(advice)].flat(), `${source}: ${advice}`).to.deep.equal([gives].flat())
    }
  })
})
