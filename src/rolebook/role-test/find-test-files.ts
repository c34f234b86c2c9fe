import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface TestFile {
  readonly role: string
  readonly path: string
}

/** `<role>/tests/*.yaml` below the folder of roles, in order. */
export function findTestFiles(rolesPath: string): readonly TestFile[] {
  return entriesOf(rolesPath).flatMap((entry) => {
    const folder = join(rolesPath, entry.name, 'tests')
    const files = entriesOf(folder).filter(({ name }) => name.endsWith('.yaml') && !name.startsWith('.'))
    return files.map(({ name }) => ({ role: entry.name, path: join(folder, name) }))
  })
}

/** Nothing where there is no folder. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    return []
  }
}
