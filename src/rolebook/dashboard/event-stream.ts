import type { Clock } from '../../core/base/clock.ts'
import type { SendText } from '../../engine/runtime/admin-route.ts'
import type { Increment } from '../ui/model.ts'
import type { Collector } from './collector.ts'

export interface EventStreamOptions {
  readonly collector: Pick<Collector, 'follow' | 'table' | 'overview'>
  readonly clock: Clock
  /** Of this process: ids of another one mean nothing here. */
  readonly epoch: string
}

/** Rows of one increment. */
const MOST_ROWS = 500
/** Milliseconds between two signs of life: a connection without any is closed. */
const HEARTBEAT = 10_000

/**
 * Sends a page what has changed, as server-sent events.
 *
 * The id of an event is the version of the table that it leads to: a page that comes back names the last one it got, and goes on from there.
 * No event waits in memory for a slow reader: it gets the next rows when it has taken the last ones.
 */
export class EventStream {
  readonly #options: EventStreamOptions
  #version: number
  #overview: string | undefined
  #isSynced = false
  #isNew: boolean

  /** @param lastEventId of the last event that the page got from an earlier stream */
  constructor(lastEventId: string | undefined, options: EventStreamOptions) {
    this.#options = options
    const [, epoch, version = ''] = /^(\w+)-(\d{1,15})$/.exec(lastEventId ?? '') ?? []
    const isKnown = epoch === options.epoch && options.collector.table.knows(Number(version))
    this.#version = isKnown ? Number(version) : 0
    this.#isNew = !isKnown
  }

  /** Sends until `signal` aborts. */
  async run(send: SendText, signal: AbortSignal): Promise<void> {
    const { collector, clock } = this.#options
    let resume = (): void => undefined
    let isDue = false
    const unfollow = collector.follow(() => {
      isDue = true
      resume()
    })
    try {
      if (this.#isNew) await this.#send({ type: 'reset' }, send)
      while (!signal.aborted) {
        const changed = new Promise<void>((resolve) => (resume = resolve))
        if (isDue) {
          isDue = false
          await this.#sendChanges(send, signal)
        } else if (!(await this.#isWoken(changed, signal, clock))) await send(': alive\n\n')
      }
    } finally {
      unfollow()
    }
  }

  /** Whether something has changed before the next sign of life is due. */
  async #isWoken(changed: Promise<void>, signal: AbortSignal, clock: Clock): Promise<boolean> {
    const done = new AbortController()
    const late = clock.sleep(HEARTBEAT, AbortSignal.any([signal, done.signal])).then(() => false)
    const isWoken = await Promise.race([changed.then(() => true), late])
    done.abort()
    return isWoken
  }

  async #sendChanges(send: SendText, signal: AbortSignal): Promise<void> {
    const { table, overview } = this.#options.collector
    while (this.#version < table.version && !signal.aborted) {
      const { rows, gone, version } = table.since(this.#version, MOST_ROWS)
      this.#version = version
      await this.#send({ type: 'rows', rows, gone }, send)
    }
    if (!this.#isSynced) await this.#send({ type: 'synced' }, send)
    this.#isSynced = true
    const text = JSON.stringify(overview)
    if (!overview || text === this.#overview) return
    this.#overview = text
    await this.#send({ type: 'overview', overview }, send)
  }

  async #send(increment: Increment, send: SendText): Promise<void> {
    await send(`id: ${this.#options.epoch}-${this.#version}\ndata: ${JSON.stringify(increment)}\n\n`)
  }
}
