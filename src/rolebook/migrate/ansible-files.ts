import type { JsonValue } from '../../core/base/json.ts'
import { isError } from '../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { Report } from './report.ts'

/** A folder that is moved over. Paths are relative to it and never lead out. */
export interface SourceFolder {
  /** `undefined` when there is no such file. */
  read(path: string): SourceFile | undefined
  /** Files in a folder, by name; none when there is no such folder. */
  list(folder: string): readonly string[]
}

/** The first of some paths that is there. */
export function readFirst(files: SourceFolder, paths: readonly string[]): SourceFile | undefined {
  for (const path of paths) {
    const source = files.read(path)
    if (source) return source
  }
  return undefined
}

/** `a/b.yml` and `a/b.yaml`. */
export function yamlPaths(path: string): readonly string[] {
  return [`${path}.yml`, `${path}.yaml`]
}

/** The documents of a file as Ansible reads it; what is wrong with it goes to the report. */
export function parseAnsible(source: SourceFile, report: Report): readonly ParsedYaml[] {
  const { documents, diagnostics } = parseYaml(source, { dialect: 'yaml-1.1' })
  report.diagnostics.push(...diagnostics.filter(isError))
  return documents
}

/** Whether a path stays in its folder. */
export function isInside(path: JsonValue | undefined): path is string {
  return typeof path === 'string' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('{{')
}

/** A path in a folder; `.` is the folder itself. */
export function inFolder(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`
}
