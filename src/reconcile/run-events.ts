import { redactEvent } from '../role/redact-outcome.ts'
import type { EventPort } from '../role/run-context.ts'
import type { Secrecy } from '../role/secrecy.ts'

type Event = Parameters<EventPort['record']>[0]

/** More of one resource at once are not written anyway. */
const MOST = 100

/** Keeps what the `event` tasks of one run tell until it ends: only then all that the run must not tell is known. */
export class RunEvents implements EventPort {
  readonly #events = new Map<string, Event>()

  record(event: Event): void {
    const { type, reason, message } = event
    if (this.#events.size < MOST) this.#events.set([type, reason, message].join('\0'), event)
  }

  /** Once the run has ended. One that was given up tells nothing: the next one comes to the same tasks. */
  publish(secrecy: Secrecy, write: (event: Event) => void): void {
    for (const event of this.#events.values()) write(redactEvent(event, secrecy))
  }
}
