import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hashJson, sha256 } from '../base/hash.ts'
import type { ChartSource } from '../kube/helm-chart.ts'
import type { FoundChart } from '../role/role-sources.ts'
import { isInside, readBytes } from './read-text-file.ts'

/** Bytes of all charts of a role: a chart that has more is refused where it is rendered. */
const MOST = 40 * 2 ** 20
const MOST_FILES = 5_000
const MAX_DEPTH = 20

/** Everything below the folder `charts` of a role. */
export interface ChartFiles {
  /** By their path below the folder of the role. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Of files that are too large to be read. */
  readonly sizes: ReadonlyMap<string, number>
  readonly directories: readonly string[]
}

export async function readCharts(role: string, root: string): Promise<ChartFiles> {
  const reader = new ChartReader(root)
  await reader.read(join(role, 'charts'), 'charts', 0)
  return reader
}

class ChartReader implements ChartFiles {
  readonly files = new Map<string, Uint8Array>()
  readonly sizes = new Map<string, number>()
  readonly directories: string[] = []
  readonly #root: string
  #left = MOST

  constructor(root: string) {
    this.#root = root
  }

  /** Hidden files count, too: `.helmignore` is one. Those of the kubelet do not. */
  async read(path: string, name: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH || this.files.size + this.sizes.size >= MOST_FILES) return
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined || !isInside(real, this.#root)) return
    const entries = await readdir(real).catch(() => undefined)
    if (!entries) return this.#readFile(path, name)
    this.directories.push(path)
    for (const entry of entries.filter((one) => !one.startsWith('..')).sort()) {
      await this.read(join(path, entry), `${name}/${entry}`, depth + 1)
    }
  }

  async #readFile(path: string, name: string): Promise<void> {
    const read = await readBytes(path, this.#root, this.#left)
    if ('size' in read) this.sizes.set(name, read.size)
    if ('bytes' in read) {
      this.files.set(name, read.bytes)
      this.#left -= read.bytes.length
    }
  }
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

function sourceOf({ files, sizes }: Omit<ChartFiles, 'directories'>, path: string): ChartSource | undefined {
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
