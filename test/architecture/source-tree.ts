import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A source file: its path below the root (`engine/role/run/run-role.ts`) and its text. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

/** All TypeScript files below a folder. */
export function readSources(root: string): SourceText[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: path.slice(root.length + 1),
      text: readFileSync(path, 'utf8'),
    }))
}

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** What a file imports, type-only imports included, as written. */
export function importsOf(source: SourceText): string[] {
  return [...source.text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Files below the root that a file imports, as paths below the root. */
export function relativeImportsOf(source: SourceText): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.normalize(posix.join(dirname(source.path), name)))
}

/** The area of a path: `engine` of `engine/role/run/run-role.ts`. */
export function areaOf(path: string): string {
  return path.split('/')[0] ?? ''
}

/** The folder of a path within its area: `role` of `engine/role/run/run-role.ts`. */
export function folderOf(path: string): string {
  return path.split('/')[1] ?? ''
}
