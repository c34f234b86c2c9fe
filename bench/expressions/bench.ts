/**
 * Evaluates the expressions of the shipped roles over resources as they are in a settled cluster, by this engine and by the
 * jsonata library, and prints the median and the 99th percentile of one evaluation, in microseconds. It measures rounds of
 * several evaluations, because one is too short for the clock.
 *
 *     node bench/expressions/bench.ts [--rounds 500]
 */
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { argv, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import type { JsonObject } from '../../src/core/base/json.ts'
import { compileExpression } from '../../src/engine/expression/compile-expression.ts'
import { ROLE_FUNCTIONS } from '../../src/engine/role/functions/functions.ts'
import { type RoleExpression, roleExpressions } from './role-expressions.ts'

type Library = (source: string) => { evaluate(input: unknown, bindings: JsonObject): Promise<unknown> }

const { values } = parseArgs({ args: argv.slice(2), options: { rounds: { type: 'string', default: '500' } } })
const rounds = Number(values.rounds)
const library = createRequire(import.meta.url)('jsonata') as Library

/** Evaluations a round. */
const TIMES = 20

const expressions = await roleExpressions()
const rows: Row[] = []
for (const expression of expressions) rows.push(await compare(expression))
print()

interface Row {
  readonly role: string
  readonly source: string
  readonly ours: readonly number[]
  readonly library: readonly number[]
}

async function compare({ role, source, input, variables }: RoleExpression): Promise<Row> {
  const expression = compileExpression(source, { functions: ROLE_FUNCTIONS })
  const bindings = { input, variable: (name: string) => variables[name] }
  const parsed = library(source)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = -rounds; round < rounds; round++) {
    const begun = performance.now()
    for (let time = 0; time < TIMES; time++) expression.evaluate(bindings)
    const between = performance.now()
    for (let time = 0; time < TIMES; time++) await parsed.evaluate(input, variables)
    const end = performance.now()
    // The first half warms up both.
    if (round < 0) continue
    ours.push((between - begun) / TIMES)
    theirs.push((end - between) / TIMES)
  }
  return { role, source, ours, library: theirs }
}

function print(): void {
  stdout.write(`${rows.length} expressions, ${rounds} rounds of ${TIMES}, Node ${version}, ${cpus()[0]?.model}\n\n`)
  for (const { role, source, ours, library: theirs } of rows)
    stdout.write(`${line(ours, theirs)}  ${role}: ${source.replaceAll(/\s+/g, ' ').slice(0, 60)}\n`)
  const all = { ours: rows.flatMap(({ ours }) => ours), library: rows.flatMap((row) => row.library) }
  stdout.write(`\n${line(all.ours, all.library)}  all\n`)
}

function line(ours: readonly number[], theirs: readonly number[]): string {
  const figures = [0.5, 0.99].map((part) => {
    const [own, other] = [percentile(ours, part), percentile(theirs, part)]
    const times = `${(other / own).toFixed(1)}×`
    return `p${part * 100} ${micros(own)} library ${micros(other)} µs ${times.padStart(7)}`
  })
  return figures.join('   ')
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * part)] as number
}

function micros(milliseconds: number): string {
  return (milliseconds * 1000).toFixed(2).padStart(7)
}
