import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { UsageError } from '../command.ts'
import { readTextFile } from '../read-text-file.ts'

/** The YAML file of a name, or all of a folder, by their paths. @throws UsageError when there is none */
export function yamlSources(path: string): readonly SourceFile[] {
  if (!existsSync(path)) throw new UsageError(`cannot read ${path}: there is no such file or folder`)
  if (!statSync(path).isDirectory()) return [new SourceFile(path, readTextFile(path))]
  // Links are not followed: what they lead to may be anywhere.
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => /\.(ya?ml|json)$/.test(file))
  const seen = paths.filter((file) => !file.slice(path.length).split(sep).includes('node_modules')).sort()
  if (seen.length === 0) throw new UsageError(`cannot read ${path}: there is no YAML file in it`)
  return seen.map((file) => new SourceFile(file, readTextFile(file)))
}
