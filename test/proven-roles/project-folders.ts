import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The folders of all projects here that have roles: this one and the examples. */
export function projectFolders(): readonly string[] {
  const examples = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [root, ...examples.map(({ name }) => join(root, 'examples', name)).sort()]
}
