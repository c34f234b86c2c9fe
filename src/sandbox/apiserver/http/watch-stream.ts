import type { Clock } from '../../../core/base/clock.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import type { StoredObject } from '../store/stored-object.ts'
import type { WatchCursor, WatchStep } from '../store/watch-cursor.ts'
import { PendingAnswer } from '../write/outside-answers.ts'
import type { ReplySink } from './reply.ts'

export interface WatchStreamOptions {
  readonly cursor: WatchCursor
  /** What exists already, sent as ADDED. */
  readonly initial: readonly StoredObject[]
  readonly clock: Clock
  readonly encode: (type: string, stored: StoredObject) => Buffer
  readonly bookmark: (initialEnd: boolean) => Buffer
  /** A watch of a resource that is not served any more ends after its last event. */
  readonly isServed: () => boolean
  readonly sendBookmarks: boolean
  /** Whether a bookmark marks the end of the existing objects. */
  readonly announceInitialEnd: boolean
  /** Defaults to half an hour. */
  readonly timeoutSeconds: number | undefined
}

const BOOKMARK_INTERVAL = 60_000
const BOOKMARK_BEFORE_END = 2000
const DEFAULT_TIMEOUT_SECONDS = 1800
/** Events that are sent in one piece. */
const BATCH = 200

/** Sends one watch as fast as the other side reads, until it closes, the time is up, or it has fallen too far behind. */
export class WatchStream {
  readonly #options: WatchStreamOptions
  readonly #cleanups: (() => void)[] = []
  #sink: ReplySink | undefined
  #initialSent = 0
  #announced = false
  /** Of a chunk that could not be completed yet, and the change at which it stopped. */
  #encoded: Buffer[] = []
  #next: WatchStep | undefined
  #isBlocked = false
  #isEnded = false

  constructor(options: WatchStreamOptions) {
    this.#options = options
  }

  /** `subscribe` calls back after changes, and returns how to stop. */
  run(sink: ReplySink, subscribe: (listener: () => void) => () => void): void {
    this.#sink = sink
    const { clock, timeoutSeconds } = this.#options
    this.#cleanups.push(subscribe(() => this.#pump()))
    sink.onClose(() => this.#stop())
    sink.onDrain(() => {
      this.#isBlocked = false
      this.#pump()
    })
    const timeout = (timeoutSeconds || DEFAULT_TIMEOUT_SECONDS) * 1000
    this.#cleanups.push(clock.schedule(timeout, () => this.#end()))
    if (this.#options.sendBookmarks) this.#scheduleBookmarks(timeout - BOOKMARK_BEFORE_END)
    this.#pump()
  }

  #pump(): void {
    try {
      this.#sendAll()
    } catch (error) {
      if (error instanceof PendingAnswer) this.#waitFor(error)
      else if (error instanceof ApiError) this.#fail(error)
      else throw error
    }
  }

  #sendAll(): void {
    while (!this.#isBlocked && !this.#isEnded) {
      if (this.#options.cursor.isLost) this.#end()
      const chunk = this.#isEnded ? undefined : this.#nextChunk()
      if (chunk) this.#send(chunk)
      else if (this.#isEnded || this.#options.isServed()) return
      else this.#end()
    }
  }

  /** A webhook has to convert what comes next. */
  #waitFor({ arrived }: PendingAnswer): void {
    this.#isBlocked = true
    void arrived.then(() => {
      this.#isBlocked = false
      this.#pump()
    })
  }

  #fail({ status }: ApiError): void {
    this.#send(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`))
    this.#end()
  }

  #nextChunk(): Buffer | undefined {
    const { initial, announceInitialEnd, bookmark } = this.#options
    if (this.#initialSent < initial.length) return this.#initialChunk()
    if (announceInitialEnd && !this.#announced) {
      this.#announced = true
      return bookmark(true)
    }
    return this.#changesChunk()
  }

  #initialChunk(): Buffer {
    const { initial, encode } = this.#options
    const batch = initial.slice(this.#initialSent, this.#initialSent + BATCH)
    const chunk = Buffer.concat(batch.map((stored) => encode('ADDED', stored)))
    this.#initialSent += batch.length
    return chunk
  }

  #changesChunk(): Buffer | undefined {
    const { cursor, encode } = this.#options
    const lines = this.#encoded
    for (let step = this.#next ?? cursor.next(); step; step = cursor.next()) {
      this.#next = step
      lines.push(encode(step.type, step.stored))
      this.#next = undefined
      if (lines.length === BATCH) break
    }
    this.#encoded = []
    const [only] = lines
    return lines.length <= 1 ? only : Buffer.concat(lines)
  }

  #send(chunk: Buffer): void {
    if (this.#sink?.write(chunk) === false) this.#isBlocked = true
  }

  /** Each minute, and shortly before the end. */
  #scheduleBookmarks(left: number): void {
    if (left <= 0) return
    const wait = Math.min(BOOKMARK_INTERVAL, left)
    const cancel = this.#options.clock.schedule(wait, () => {
      this.#sendBookmark()
      this.#scheduleBookmarks(left - wait)
    })
    this.#cleanups[2] = cancel
  }

  /** Only when everything before it was sent: a bookmark says so. */
  #sendBookmark(): void {
    const { cursor, bookmark, initial } = this.#options
    if (!this.#isBlocked && cursor.atEnd && this.#initialSent === initial.length) this.#send(bookmark(false))
  }

  #end(): void {
    this.#stop()
    this.#sink?.end()
  }

  #stop(): void {
    this.#isEnded = true
    for (const cleanup of this.#cleanups.splice(0)) cleanup()
  }
}
