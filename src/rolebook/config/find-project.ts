import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The nearest folder around a file that holds the file of watches, by its name below that folder. */
export async function findProject(path: string, watchesFile: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (await isThere(join(folder, watchesFile))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
