import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashJson, sha256 } from '../../core/base/hash.ts'
import type { ChartSource } from '../../core/kube/helm-chart.ts'
import { type Diagnostic, diagnosticOf, type Problem } from '../../core/yaml/diagnostic.ts'
import type { FoundChart } from '../../engine/role/parse/role-sources.ts'
import { fileProblem, isInside, LINK, readBytes } from './read-text-file.ts'

/** Bytes of all charts of a role: a chart that has more is refused where it is rendered. */
const MOST = 40 * 2 ** 20
const MOST_ENTRIES = 5_000
const MAX_DEPTH = 20

/** Everything below the folder `charts` of a role. */
export interface ChartFiles {
  /** By their path below the folder of the role. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Of files that are too large to be read. */
  readonly sizes: ReadonlyMap<string, number>
  readonly directories: readonly string[]
  /**
   * Entries that were left out, each an error: the engine would remove from the cluster what a missing template made. What Helm
   * itself ignores is not among them.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** A role without a folder `charts` has no charts. */
export async function readCharts(role: string, root: string, mostEntries = MOST_ENTRIES): Promise<ChartFiles> {
  const reader = new ChartReader(root, mostEntries)
  const path = join(role, 'charts')
  if (await isThere(path)) await reader.read(path, 'charts')
  return reader
}

/** Also of a link that leads nowhere. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

class ChartReader implements ChartFiles {
  readonly files = new Map<string, Uint8Array>()
  readonly sizes = new Map<string, number>()
  readonly directories: string[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #root: string
  readonly #mostEntries: number
  #left = MOST
  #saidFull = false

  constructor(root: string, mostEntries: number) {
    this.#root = root
    this.#mostEntries = mostEntries
  }

  /** Hidden files count, too: `.helmignore` is one. Those of the kubelet do not. `around`: the folders that it lies in. */
  async read(path: string, name: string, around: readonly string[] = []): Promise<void> {
    if (isIgnoredByHelm(name) || this.#isFull(path) || this.#isTooDeep(path, around.length)) return
    const place = await realPlace(path, this.#root)
    if ('problem' in place) return this.#leaveOut(path, place.problem)
    if (!place.isFolder) return this.#readFile(path, name)
    if (around.includes(place.real)) return this.#leaveOut(path, CIRCLE)
    this.directories.push(path)
    const entries = await readdir(place.real).catch((error) => this.#leaveOut(path, fileProblem(error)))
    for (const entry of (entries ?? []).filter((one) => !one.startsWith('..')).sort()) {
      await this.read(join(path, entry), `${name}/${entry}`, [...around, place.real])
    }
  }

  async #readFile(path: string, name: string): Promise<void> {
    const read = await readBytes(path, this.#root, this.#left)
    if ('problem' in read) return this.#leaveOut(path, read.problem)
    if ('size' in read) {
      this.sizes.set(name, read.size)
      return
    }
    this.files.set(name, read.bytes)
    this.#left -= read.bytes.length
  }

  /** Says once that the limit is reached. */
  #isFull(path: string): boolean {
    const count = this.files.size + this.sizes.size + this.directories.length
    if (count < this.#mostEntries) return false
    const message = `the charts of the role have more than ${this.#mostEntries} files and folders: this one and later ones are not read`
    if (!this.#saidFull) this.#leaveOut(path, { code: 'RB1305', message, hint: 'remove files from the charts' })
    this.#saidFull = true
    return true
  }

  #isTooDeep(path: string, depth: number): boolean {
    if (depth <= MAX_DEPTH) return false
    const message = `it lies more than ${MAX_DEPTH} folders deep in \`charts\`: it is not read`
    this.#leaveOut(path, { code: 'RB1305', message, hint: 'move it further up' })
    return true
  }

  #leaveOut(path: string, problem: Problem): void {
    this.diagnostics.push(diagnosticOf(path, problem))
  }
}

/**
 * Helm's loader ignores hidden files directly in `templates` of the chart, even if `.helmignore` does not name them, because
 * editors keep their lock files there. It renders hidden files in deeper folders and in subcharts.
 */
function isIgnoredByHelm(name: string): boolean {
  const [, ...steps] = name.split('/')
  const place = steps.findIndex((step) => step === 'templates' || step === 'charts')
  return steps[place] === 'templates' && steps[place + 1]?.startsWith('.') === true
}

type Place = { readonly real: string; readonly isFolder: boolean } | { readonly problem: Problem }

async function realPlace(path: string, root: string): Promise<Place> {
  try {
    const real = await realpath(path)
    if (!isInside(real, root)) return { problem: LINK }
    return { real, isFolder: (await stat(real)).isDirectory() }
  } catch (error) {
    const problem = fileProblem(error)
    return { problem: problem.code === 'RB1301' ? NOWHERE : problem }
  }
}

const NOWHERE: Problem = {
  code: 'RB1301',
  message: 'a link leads to no file or folder',
  hint: 'put the file itself here, or remove the link',
}

const CIRCLE: Problem = {
  code: 'RB1302',
  message: 'cannot be read: its links go round in circles',
  hint: 'remove the link',
}

/** The chart at a path below the folder of the role: an archive, or a folder with a `Chart.yaml`. */
export function findChart({ files, sizes }: ChartFiles, path: string): FoundChart | undefined {
  const chart = sourceOf({ files, sizes }, path)
  return chart && { chart, hash: hashOf(chart) }
}

/** Of all charts: changes when any file of any does. */
export function hashCharts({ files, sizes }: ChartFiles): string {
  return hashJson([[...sizes], [...files].map(([name, bytes]) => [name, hashBytes(bytes)])])
}

function sourceOf({ files, sizes }: Pick<ChartFiles, 'files' | 'sizes'>, path: string): ChartSource | undefined {
  const archive = files.get(path)
  if (archive) return { archive }
  const isWithin = ([name]: readonly [string, unknown]): boolean => name === path || name.startsWith(`${path}/`)
  const large = [...sizes].filter(isWithin).reduce((sum, [, size]) => sum + size, 0)
  if (large > 0) return { size: large }
  const inside = [...files].filter(isWithin).map(([name, bytes]) => [name.slice(path.length + 1), bytes] as const)
  const found = new Map(inside)
  return found.has('Chart.yaml') ? { files: found } : undefined
}

function hashOf(chart: ChartSource): string {
  if ('size' in chart) return hashJson(chart.size)
  if ('archive' in chart) return hashBytes(chart.archive)
  return hashJson([...chart.files].map(([name, bytes]) => [name, hashBytes(bytes)]))
}

function hashBytes(bytes: Uint8Array): string {
  return sha256(Buffer.from(bytes).toString('base64'))
}
