/**
 * Puts defects into the sandbox, one after the other, and shows which contract tests notice. Ends with code 1 when one is
 * not noticed, or cannot be put in any more.
 *
 *     npm run test:mutants -- [part of a name]
 */
import process, { argv, stdout } from 'node:process'
import { explain } from '../../src/base/coded-error.ts'
import { inParallel } from '../contract/in-parallel.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { failingSteps, noticedBy } from './try-mutant.ts'

const AT_ONCE = 2
const SHOWN = 2

const [, , wanted = ''] = argv
const began = performance.now()
const mutants = MUTANTS.filter(({ name }) => name.includes(wanted))
const topics = [...new Set(mutants.flatMap((mutant) => mutant.topics))]
// What fails without any defect says nothing.
const failing = new Set(await failingSteps(topics, ''))
for (const step of failing) stdout.write(`fails without a defect: ${step}\n`)
const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]))
const rows = inParallel(byName.keys(), AT_ONCE, (name) => row(byName.get(name) as Mutant))
let survivors = 0
for (const [name, outcome] of rows) {
  const { noticed, text } = await outcome
  if (!noticed) survivors++
  stdout.write(`${noticed ? 'caught  ' : 'SURVIVES'}  ${name}\n            ${text}\n`)
}
const seconds = ((performance.now() - began) / 1000).toFixed(0)
stdout.write(`\n${mutants.length} defects, ${survivors} not noticed, ${seconds} s\n`)
process.exitCode = survivors === 0 && failing.size === 0 ? 0 : 1

async function row(mutant: Mutant): Promise<{ noticed: boolean; text: string }> {
  try {
    const steps = (await noticedBy(mutant)).filter((step) => !failing.has(step))
    const more = steps.length > SHOWN ? ` and ${steps.length - SHOWN} more` : ''
    const text =
      steps.length === 0 ? `nothing in ${mutant.topics.join(', ')}` : steps.slice(0, SHOWN).join(' | ') + more
    return { noticed: steps.length > 0, text }
  } catch (error) {
    return { noticed: false, text: explain(error) }
  }
}
