import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { ProjectFiles, RoleFiles } from '../config/project-files.ts'
import type { TextFile } from '../config/read-text-file.ts'

/** Texts of files as an editor has them, by their absolute path. */
export type OpenTexts = ReadonlyMap<string, SourceFile>

/** The files of a project with what an editor has of them instead of what is on disk. */
export function withOpenTexts(files: ProjectFiles, open: OpenTexts): ProjectFiles {
  const file = ({ path, ...rest }: TextFile): TextFile => {
    const source = open.get(path)
    return source ? { path, source } : ({ path, ...rest } as TextFile)
  }
  const named = (some: ReadonlyMap<string, TextFile>): ReadonlyMap<string, TextFile> =>
    new Map([...some].map(([name, one]) => [name, file(one)]))
  const role = (one: RoleFiles): RoleFiles => ({
    ...one,
    role: one.role.map(file),
    crds: one.crds.map(file),
    samples: one.samples.map(file),
    files: named(one.files),
  })
  return {
    ...files,
    watches: file(files.watches),
    roles: new Map([...files.roles].map(([name, one]) => [name, role(one)])),
    beside: named(files.beside),
  }
}
