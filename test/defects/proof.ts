/**
 * Puts defects into the engine, one after the other, and shows the first test of `npm test` that sees each.
 * Ends with code 1 when one is not seen, or cannot be put in any more.
 *
 *     npm run proof:defects -- [part of a name or of a file]
 */
import process, { argv, stdout } from 'node:process'
import { explain } from '../../src/core/base/coded-error.ts'
import { inParallel } from '../sandbox/contract/in-parallel.ts'
import type { Defect } from './defect.ts'
import { DEFECTS } from './defects.ts'
import { firstFailure, firstToSee } from './try-defect.ts'

const AT_ONCE = 2

const [, , wanted = ''] = argv
const defects = DEFECTS.filter(({ name, file }) => name.includes(wanted) || file.includes(wanted))
const files = new Set(defects.flatMap(({ seenBy }) => seenBy))
let unsound = 0
for (const [file, failure] of inParallel(files, AT_ONCE, (one) => firstFailure(one, ''))) {
  const title = await failure
  if (title === undefined) continue
  unsound++
  stdout.write(`fails without a defect: ${file}: ${title}\n`)
}

const byName = new Map(defects.map((defect) => [defect.name, defect]))
const width = Math.max(...defects.map(({ name }) => name.length))
const classWidth = Math.max(...defects.map(({ faultClass }) => faultClass.length))
let seen = 0
stdout.write(`${'Defect'.padEnd(width)}  ${'Stands for'.padEnd(classWidth)}  First test that sees it\n`)
for (const [name, test] of inParallel(byName.keys(), AT_ONCE, (one) => outcomeOf(byName.get(one) as Defect))) {
  const { isSeen, text } = await test
  if (isSeen) seen++
  stdout.write(`${name.padEnd(width)}  ${byName.get(name)?.faultClass.padEnd(classWidth)}  ${text}\n`)
}
stdout.write(`\n${seen} of ${defects.length} defects seen\n`)
process.exitCode = seen === defects.length && seen > 0 && unsound === 0 ? 0 : 1

async function outcomeOf(defect: Defect): Promise<{ readonly isSeen: boolean; readonly text: string }> {
  try {
    const test = await firstToSee(defect)
    return { isSeen: test !== undefined, text: test ?? `NONE in ${defect.seenBy.join(', ')}` }
  } catch (error) {
    return { isSeen: false, text: `NONE: ${explain(error).replaceAll('\n', ' ')}` }
  }
}
