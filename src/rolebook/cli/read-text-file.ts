import { readFileSync } from 'node:fs'
import { UsageError } from './command.ts'

/** The text of a file that a flag or an argument names. @throws UsageError when it cannot be read */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}`, { cause: error })
  }
}
