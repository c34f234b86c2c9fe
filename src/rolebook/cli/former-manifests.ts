import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate/generated-file.ts'
import { BUNDLE_COMMENT } from '../generate/olm/bundle-files.ts'

/**
 * Manifests of a former bundle in a folder that the new one has no more, such as that of a dropped CRD: whatever lies among the
 * manifests is part of the image. What people have put there stays.
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
