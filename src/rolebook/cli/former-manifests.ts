import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate/generated-file.ts'
import { BUNDLE_COMMENT } from '../generate/olm/bundle-files.ts'

/**
 * Finds manifests of a former bundle that the new bundle does not have, such as that of a dropped CRD. They must be removed,
 * because the image contains all files of the folder. Files that people have put there stay.
 */
export function formerManifests(folder: string, files: readonly GeneratedFile[]): readonly string[] {
  const place = join(folder, 'manifests')
  if (!existsSync(place)) return []
  const current = new Set(files.map(({ path }) => join(folder, path)))
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(place, name))
    .filter((path) => !current.has(path) && readFileSync(path, 'utf8').startsWith(`# ${BUNDLE_COMMENT}\n`))
    .sort()
}
