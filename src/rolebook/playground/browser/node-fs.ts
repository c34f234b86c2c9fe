/** Stands for `node:fs` in the page: reads `memoryFiles`, and writes nothing. */
import { memoryFiles } from './memory-files.ts'

export const constants = { O_RDONLY: 0, O_NOFOLLOW: 0, O_NONBLOCK: 0 }

export function readFileSync(path: string, encoding?: 'utf8'): Buffer | string {
  const bytes = Buffer.from(memoryFiles.read(path))
  return encoding === undefined ? bytes : bytes.toString(encoding)
}

export function readdirSync(path: string): readonly { readonly name: string }[] {
  return memoryFiles.list(path).map((name) => ({ name }))
}

export function existsSync(path: string): boolean {
  return memoryFiles.has(path)
}
