import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder for one test. */
export interface TemporaryFolder {
  readonly path: string
  /** Where something in it lies. */
  readonly at: (path: string) => string
  /** Writes a file, in folders that may not be there yet, and returns where it lies. */
  readonly write: (path: string, content: string | Uint8Array) => string
  /** Takes the folder away again. */
  readonly remove: () => void
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'rolebook-test-'))
  const at = (inner: string): string => join(path, inner)
  const write = (inner: string, content: string | Uint8Array): string => {
    writeFiles(path, { [inner]: content })
    return at(inner)
  }
  return { path, at, write, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes files into a folder, each by its path there. */
export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
