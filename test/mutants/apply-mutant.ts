import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceEdit } from './mutant.ts'

const SRC = join(import.meta.dirname, '../../src')

export function fileOf({ file }: SourceEdit): string {
  return join(SRC, file)
}

/**
 * The source file with the defect in it; the file itself stays as it is.
 *
 * @throws Error when what is to be replaced is not there, or more than once
 */
export function mutatedSource(edit: SourceEdit): string {
  const source = readFileSync(fileOf(edit), 'utf8')
  const [before, after, ...more] = source.split(edit.search)
  if (before === undefined || after === undefined || more.length > 0) {
    const found = more.length > 0 ? 'more than once' : 'no longer'
    throw new Error(`cannot put in '${edit.name}': src/${edit.file} has what it replaces ${found}`)
  }
  return before + edit.replace + after
}
