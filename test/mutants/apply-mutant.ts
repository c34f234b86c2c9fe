import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

const SRC = join(import.meta.dirname, '../../src')

export function fileOf({ file }: Mutant): string {
  return join(SRC, file)
}

/**
 * The source file with the defect in it; the file itself stays as it is.
 *
 * @throws Error when what is to be replaced is not there, or more than once
 */
export function mutatedSource(mutant: Mutant): string {
  const source = readFileSync(fileOf(mutant), 'utf8')
  const [before, after, ...more] = source.split(mutant.search)
  if (before === undefined || after === undefined || more.length > 0) {
    const found = more.length > 0 ? 'more than once' : 'no more'
    throw new Error(`the mutant '${mutant.name}' does not apply: what it replaces is in src/${mutant.file} ${found}`)
  }
  return before + mutant.replace + after
}
