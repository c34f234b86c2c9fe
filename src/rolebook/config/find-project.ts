import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The nearest folder around a file that holds the file of watches, by its name below that folder. */
export async function findProject(path: string, watchesFile: string): Promise<string | undefined> {
  const folder = dirname(path)
  if (await isThere(join(folder, watchesFile))) return folder
  return folder === dirname(folder) ? undefined : findProject(folder, watchesFile)
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
