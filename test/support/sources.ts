import type { RoleSources } from '../../src/role/role-sources.ts'
import { SourceFile } from '../../src/yaml/source-file.ts'

/** Files of a role from texts, by path. */
export function sourcesOf(files: Readonly<Record<string, string>>): RoleSources {
  return {
    paths: Object.keys(files),
    read: (path) => (files[path] === undefined ? undefined : { source: new SourceFile(path, files[path]) }),
    placeOf: (path) => `roles/web/${path}`,
  }
}
