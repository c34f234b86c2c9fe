/**
 * Puts defects into the sandbox, one after the other, and shows the first pair of the contract tests that notices each.
 * Ends with code 1 when one is not noticed, or cannot be put in any more.
 *
 *     npm run test:mutants -- [part of a name]
 */
import process, { argv, stdout } from 'node:process'
import { explain } from '../../src/core/base/coded-error.ts'
import { inParallel } from '../sandbox/contract/in-parallel.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { type Baseline, failingSteps, firstToNotice } from './try-mutant.ts'

const AT_ONCE = 2

interface Outcome {
  readonly caught: boolean
  readonly text: string
}

const [, , wanted = ''] = argv
const mutants = MUTANTS.filter(({ name }) => name.includes(wanted))
const baseline = await failingWithout(mutants.flatMap(({ topics }) => topics))
const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]))
const tries = inParallel(byName.keys(), AT_ONCE, (name) => outcomeOf(byName.get(name) as Mutant))
const width = Math.max(...mutants.map(({ name }) => name.length))
let caught = 0
stdout.write(`${'Mutant'.padEnd(width)}  First pair that caught it\n`)
for (const [name, outcome] of tries) {
  const { caught: isCaught, text } = await outcome
  if (isCaught) caught++
  stdout.write(`${name.padEnd(width)}  ${text}\n`)
}
stdout.write(`\n${caught} of ${mutants.length} mutants caught\n`)
process.exitCode = caught === mutants.length && caught > 0 ? 0 : 1

/** What fails without any defect says nothing about one. */
async function failingWithout(topics: readonly string[]): Promise<Baseline> {
  const runs = inParallel(new Set(topics), AT_ONCE, (topic) => failingSteps(topic))
  const known = new Map<string, readonly string[]>()
  for (const [topic, steps] of runs) known.set(topic, await steps)
  for (const [topic, steps] of known) {
    for (const step of steps) stdout.write(`fails without a defect, and is left out: ${topic}: ${step}\n`)
  }
  return known
}

async function outcomeOf(mutant: Mutant): Promise<Outcome> {
  try {
    const step = await firstToNotice(mutant, baseline)
    return { caught: step !== undefined, text: step ?? `NONE in ${mutant.topics.join(', ')}` }
  } catch (error) {
    return { caught: false, text: `NONE: ${oneLine(explain(error))}` }
  }
}

function oneLine(text: string): string {
  return text.split('\n').join(' ')
}
