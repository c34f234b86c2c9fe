import { mkdirSync, rmSync, statSync } from 'node:fs'
import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { Journal, KeptState, StoreState } from '../../apiserver/store/journal.ts'
import type { StoreEvent } from '../../apiserver/store/stored-object.ts'
import { ChangeLog } from './change-log.ts'
import { changesPath, type DataFiles, listDataFiles } from './data-files.ts'
import { lockFolder } from './folder-lock.ts'
import { readKeptState } from './read-kept-state.ts'
import { changeRecord } from './stored-records.ts'
import { writeSnapshot } from './write-snapshot.ts'

export interface DataFolderOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** Bytes of changes after which a new snapshot is made. Defaults to 16 MiB; never before the changes outgrow the objects. */
  readonly compactAfter?: number | undefined
}

/**
 * A folder that keeps the state of a sandbox: a snapshot of all objects, and a log of every change after it. A change is
 * in the log before a client hears of it. From time to time a new snapshot makes the changes before it superfluous.
 */
export class DataFolder implements Journal {
  readonly path: string
  readonly kept: KeptState
  readonly #options: DataFolderOptions
  readonly #files: DataFiles
  readonly #unlock: () => void
  #log: ChangeLog | undefined
  #read: (() => StoreState) | undefined
  #snapshotSize: number
  #compaction: Promise<void> | undefined

  /**
   * Makes the folder when there is none.
   *
   * @throws Error when another process has it
   */
  constructor(path: string, options: DataFolderOptions) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    this.path = path
    this.#options = options
    this.#unlock = lockFolder(path)
    this.#files = listDataFiles(path)
    this.kept = readKeptState(this.#files)
    const snapshot = this.#files.snapshots.at(-1)
    this.#snapshotSize = snapshot ? statSync(snapshot.path).size : 0
  }

  /** Everything was read and is sound: only now is anything written. */
  open(read: () => StoreState): void {
    this.#read = read
    const { changes, snapshots, unfinished } = this.#files
    const latest = Math.max(this.kept.revision, changes.at(-1)?.revision ?? 0)
    this.#log = new ChangeLog(changesPath(this.path, latest), latest, this.#options.clock)
    for (const path of unfinished) rmSync(path)
    for (const { path } of snapshots.slice(0, -1)) rmSync(path)
    for (const { path } of changes.filter(({ revision }) => revision < this.kept.revision)) rmSync(path)
  }

  append(event: StoreEvent): void {
    if (!this.#log) throw new Error(`the data folder ${this.path} is closed`)
    this.#log.append(changeRecord(event))
    if (this.#log.size < this.#limit || this.#compaction) return
    // Not at once: the change is not in the state yet.
    this.#compaction = Promise.resolve()
      .then(() => this.compact())
      .catch((error) => this.#complain(error))
      .finally(() => {
        this.#compaction = undefined
      })
  }

  /** Makes a snapshot of the present state, and removes what it replaces. */
  async compact(): Promise<void> {
    const { clock } = this.#options
    if (!this.#log || !this.#read) return
    const state = this.#read()
    const next = new ChangeLog(changesPath(this.path, state.revision), state.revision, clock)
    this.#log.close()
    this.#log = next
    this.#snapshotSize = await writeSnapshot(this.path, state)
    const { changes, snapshots } = listDataFiles(this.path)
    for (const { path, revision } of [...changes, ...snapshots]) if (revision < state.revision) rmSync(path)
  }

  async close(): Promise<void> {
    if (this.#compaction) await this.#compaction
    this.#log?.close()
    this.#log = undefined
    this.#unlock()
  }

  get #limit(): number {
    return Math.max(this.#options.compactAfter ?? 16 * 1024 * 1024, this.#snapshotSize)
  }

  #complain(error: unknown): void {
    const fields = { folder: this.path, error: explain(error) }
    this.#options.logger.error('cannot make a snapshot; the log of changes goes on', fields)
  }
}
