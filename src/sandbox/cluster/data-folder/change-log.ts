import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import { encodeRecord, finishedLength } from './records.ts'
import { changesHeader } from './stored-records.ts'

/** How long what was written may stay in the memory of the system. */
const SYNC_INTERVAL = 1000

/**
 * A file of changes that grows at its end. What `append` has written outlives the process from then on, and a second later
 * also the machine.
 */
export class ChangeLog {
  readonly #path: string
  readonly #clock: Clock
  readonly #file: number
  #size: number
  #isBroken = false
  #cancelSync: (() => void) | undefined

  /** Goes on with the file that is there, after its last finished record, or begins one. */
  constructor(path: string, revision: number, clock: Clock) {
    this.#path = path
    this.#clock = clock
    this.#size = existsSync(path) ? finishedLength(readFileSync(path)) : 0
    this.#file = openSync(path, 'a', 0o600)
    ftruncateSync(this.#file, this.#size)
    if (this.#size === 0) this.append(changesHeader(revision))
  }

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  /** @throws Error when it cannot be written; the file is then as it was */
  append(record: object): void {
    if (this.#isBroken) throw new Error(`cannot write to ${this.#path}: an earlier write failed half way`)
    const line = encodeRecord(record)
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written)
    } catch (error) {
      this.#takeBack()
      throw new Error(`cannot write to ${this.#path}: ${explain(error)}`)
    }
    this.#size += line.length
    this.#cancelSync ??= this.#clock.schedule(SYNC_INTERVAL, () => this.#sync())
  }

  close(): void {
    this.#cancelSync?.()
    fdatasyncSync(this.#file)
    closeSync(this.#file)
  }

  #sync(): void {
    this.#cancelSync = undefined
    fdatasync(this.#file, () => undefined)
  }

  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.#size)
    } catch {
      this.#isBroken = true
    }
  }
}
