import { didYouMean } from '../../../core/base/nearest-name.ts'
import type { ChartSource } from '../../../core/kube/helm-chart.ts'
import type { Diagnostic, Problem } from '../../../core/yaml/diagnostic.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'

/** The files that belong to a role, besides its own: those that it includes, and texts. Paths begin at the folder of the role. */
export interface RoleSources {
  /** Of all that are there. */
  readonly paths: readonly string[]
  /** `undefined` when there is none. */
  read(path: string): RoleSource | undefined
  /** A Helm chart in a folder or an archive, below `charts/`. `undefined` when there is none. */
  chart?(path: string): FoundChart | undefined
  /** Where a file would stand, as messages show it. */
  placeOf(path: string): string
  /** What to do about a path at which no file is read, whether it is there or not. `undefined` for any other. */
  whyUnread?(path: string): string | undefined
}

export interface FoundChart {
  readonly chart: ChartSource
  /** Of its bytes. */
  readonly hash: string
}

/** A file, or why it cannot be read. */
export type RoleSource =
  | { readonly source: SourceFile }
  | { readonly source?: undefined; readonly problem: Pick<Diagnostic, 'code' | 'message' | 'hint'> }

export const NO_SOURCES: RoleSources = { paths: [], read: () => undefined, placeOf: (path) => path }

export type FoundSource =
  | { readonly source: SourceFile; readonly problem?: undefined }
  | { readonly source?: undefined; readonly problem: Problem }

/** The files that a role names, with what is wrong with them at the place that names them. Remembers which were used. */
export class UsedSources {
  /** By path. What they say is part of what the role does. */
  readonly used = new Map<string, SourceFile>()
  readonly #sources: RoleSources

  constructor(sources: RoleSources) {
    this.#sources = sources
  }

  find(path: string): FoundSource {
    const problem = pathProblem(path)
    if (problem) return { problem }
    const found = this.#sources.read(path)
    if (found === undefined) return { problem: this.#missing(path) }
    if (found.source === undefined) return { problem: unusable(path, found.problem) }
    if (found.source.text.includes('\0')) return { problem: unusable(path, NO_TEXT) }
    this.used.set(path, found.source)
    return { source: found.source }
  }

  findChart(path: string): { readonly chart: ChartSource } | { readonly chart?: undefined; readonly problem: Problem } {
    const problem = pathProblem(path)
    if (problem) return { problem }
    const found = this.#sources.chart?.(path)
    if (!found) return { problem: missingChart(path, this.#sources.placeOf(path)) }
    this.used.set(path, new SourceFile(path, found.hash))
    return { chart: found.chart }
  }

  #missing(path: string): Problem {
    const { paths, whyUnread } = this.#sources
    const hint = whyUnread?.(path) ?? didYouMean(path, paths) ?? `it would be ${this.#sources.placeOf(path)}`
    return { code: 'RB1151', message: `the role has no file "${path}"`, hint }
  }
}

function missingChart(path: string, place: string): Problem {
  const message = `the role has no chart "${path}"`
  const hint = `it would be ${place}, in the folder \`charts\` of the role: a folder with a Chart.yaml, or a .tgz`
  return { code: 'RB1151', message, hint }
}

const NO_TEXT = { code: 'RB1303', message: 'it is not text', hint: undefined }

function unusable(path: string, { code, message, hint }: Pick<Diagnostic, 'code' | 'message' | 'hint'>): Problem {
  const isBinary = code === 'RB1303'
  const remedy = 'only text can be part of a role: keep the file as base64 text, and use that as `binaryData` or `data`'
  return { code: 'RB1152', message: `"${path}" cannot be used: ${message}`, hint: isBinary ? remedy : hint }
}

const LITERAL = 'write the path itself: what a role is made of is known before it runs'

/** What is wrong with a path as one below the folder of the role. */
function pathProblem(path: string): Problem | undefined {
  if (path.includes('${')) return { code: 'RB1150', message: 'the path of a file must be literal text', hint: LITERAL }
  const isPlain = path.split('/').every((step) => step !== '' && step !== '.' && step !== '..' && isPrintable(step))
  if (isPlain) return undefined
  const hint = 'write names with `/` between them, without `.`, `..` or a `/` in front'
  return { code: 'RB1150', message: 'a path of a role leads down from its folder', hint }
}

function isPrintable(step: string): boolean {
  return !/[\\\p{Cc}]/u.test(step)
}
