import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '../../core/base/clock.ts'
import type { ProjectResult } from './load-project.ts'
import { buildProject, type ProjectOptions } from './load-project.ts'
import { type ProjectFiles, readProjectFiles } from './project-files.ts'

export interface WatchProjectOptions extends ProjectOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Hash of the files that the caller knows already. */
  readonly after?: string | undefined
  /** Milliseconds without a further change before files are read. Defaults to 200. */
  readonly quietPeriod?: number | undefined
  /** Milliseconds after which files are looked at although the system reported no change. Defaults to 30,000. */
  readonly pollPeriod?: number | undefined
}

/**
 * Yields what the files of a project have become, whenever their content changes, until the signal aborts.
 *
 * What changes while files are read is read again, so the last change is never missed; where the file system reports no
 * changes (network mounts), looking from time to time finds them. Changes in quick succession are yielded as one.
 */
export async function* watchProject(options: WatchProjectOptions): AsyncGenerator<ProjectResult, void, void> {
  const { signal } = options
  const folders = new FolderWatcher()
  signal.addEventListener('abort', () => folders.close(), { once: true })
  let known = options.after
  let directories: readonly string[] = []
  while (!signal.aborted) {
    const files = await readWatched(options, folders, directories)
    directories = files.directories
    if (files.hash !== known) {
      known = files.hash
      yield buildProject(files, options)
    }
    await nextChange(folders, options)
  }
}

/** Every folder is watched before its files are read for good. */
async function readWatched(
  options: ProjectOptions,
  folders: FolderWatcher,
  known: readonly string[],
): Promise<ProjectFiles> {
  let watched = known
  for (;;) {
    // Anew each time: a folder that was exchanged for another of the same name is not watched any more.
    folders.watch(watched)
    const files = await readProjectFiles(options)
    if (files.directories.join('\0') === watched.join('\0')) return files
    watched = files.directories
  }
}

/** Changes that never stop hold back a reading no longer than this many quiet periods. */
const MAX_QUIET_PERIODS = 10

async function nextChange(folders: FolderWatcher, options: WatchProjectOptions): Promise<void> {
  const { clock, signal, quietPeriod = 200, pollPeriod = 30_000 } = options
  const stopPolling = new AbortController()
  await Promise.race([folders.changed(), clock.sleep(pollPeriod, AbortSignal.any([signal, stopPolling.signal]))])
  stopPolling.abort()
  for (let period = 0; period < MAX_QUIET_PERIODS && folders.hasChanged && !signal.aborted; period++) {
    folders.forget()
    await clock.sleep(quietPeriod, signal)
  }
}

/** Changes in any of a set of folders, as one signal. */
class FolderWatcher {
  #watchers: FSWatcher[] = []
  #changed = Promise.withResolvers<void>()
  #hasChanged = false

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** Watches these folders and no others, from now on. */
  watch(directories: readonly string[]): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = directories.map((directory) => this.#add(directory)).filter((one) => one !== undefined)
    this.forget()
  }

  forget(): void {
    this.#hasChanged = false
    this.#changed = Promise.withResolvers()
  }

  /** Resolves when something has changed since the last `forget`. */
  changed(): Promise<void> {
    return this.#changed.promise
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#notice()
  }

  #add(directory: string): FSWatcher | undefined {
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#notice())
      return watcher.on('error', () => this.#notice())
    } catch {
      // Gone again, or no more watches to be had: looking from time to time sees to it.
      return undefined
    }
  }

  #notice(): void {
    this.#hasChanged = true
    this.#changed.resolve()
  }
}
