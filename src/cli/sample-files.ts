import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { explain } from '../base/coded-error.ts'
import { gvkOf } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import { keyOf } from '../kube/object.ts'
import { readObjects } from './read-objects.ts'

const DEBOUNCE_MS = 100

export interface SampleFilesOptions {
  readonly rolesPath: string
  readonly clock: Clock
  readonly signal: AbortSignal
  apply(object: KubeObject): Promise<void>
  remove(object: KubeObject): Promise<void>
  /** A file that cannot be read or applied, in words. */
  complain(message: string): void
}

interface SampleFile {
  readonly text: string
  readonly objects: readonly KubeObject[]
}

/**
 * Keeps the sample objects of every role in the cluster: applied at the start and whenever a file is saved,
 * deleted when they leave their file. So a person without kubectl can play, too.
 */
export class SampleFiles {
  readonly #options: SampleFilesOptions
  readonly #applied = new Map<string, SampleFile>()
  #pass: Promise<void> = Promise.resolve()

  constructor(options: SampleFilesOptions) {
    this.#options = options
  }

  /** Applies all samples, then follows the files until the signal aborts. */
  async start(): Promise<void> {
    const { rolesPath, clock, signal } = this.#options
    let cancel: (() => void) | undefined
    const watcher = watch(rolesPath, { recursive: true, signal }, () => {
      cancel?.()
      cancel = clock.schedule(DEBOUNCE_MS, () => this.#refresh())
    })
    watcher.on('error', (error) => this.#options.complain(`cannot follow ${rolesPath}: ${error.message}`))
    signal.addEventListener('abort', () => cancel?.(), { once: true })
    await this.#refresh()
  }

  /** One pass at a time, so that two saves in a row end in the later one. */
  #refresh(): Promise<void> {
    this.#pass = this.#pass.then(() => this.#applyChanges())
    return this.#pass
  }

  async #applyChanges(): Promise<void> {
    const paths = samplePaths(this.#options.rolesPath)
    for (const path of paths) await this.#guard(path, () => this.#applyFile(path))
    for (const [path, file] of this.#applied) {
      if (!paths.includes(path)) await this.#guard(path, () => this.#forget(path, file))
    }
  }

  async #applyFile(path: string): Promise<void> {
    const text = readFileSync(path, 'utf8')
    const before = this.#applied.get(path)
    if (text === before?.text) return
    const objects = readObjects(path, text)
    for (const object of objects) await this.#options.apply(object)
    this.#applied.set(path, { text, objects })
    const kept = new Set(objects.map(identityOf))
    for (const object of before?.objects ?? []) {
      if (!kept.has(identityOf(object))) await this.#options.remove(object)
    }
  }

  async #forget(path: string, file: SampleFile): Promise<void> {
    for (const object of file.objects) await this.#options.remove(object)
    this.#applied.delete(path)
  }

  async #guard(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.complain(`${path}: ${explain(error)}`)
    }
  }
}

function samplePaths(rolesPath: string): string[] {
  return readdirSync(rolesPath, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/]+\/samples\/[^/]+\.ya?ml$/.test(path))
    .sort()
    .map((path) => join(rolesPath, path))
}

function identityOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object)
  const { namespace, name } = keyOf(object)
  return `${group}/${kind}/${namespace}/${name}`
}
