import { redactEvent } from '../../role/redact-outcome.ts'
import type { EventPort } from '../../role/run-context.ts'
import type { Secrecy } from '../../role/secrecy.ts'

type Event = Parameters<EventPort['record']>[0]

/** How many events of one run are kept. More would not be written anyway. */
const MOST = 100

/** Keeps the events of one run until it ends, because only then all secrets are known that must be redacted. */
export class RunEvents implements EventPort {
  readonly #events = new Map<string, Event>()

  record(event: Event): void {
    const { type, reason, message } = event
    if (this.#events.size < MOST) this.#events.set([type, reason, message].join('\0'), event)
  }

  /** Writes the events once the run has ended. A run that was given up writes none: the next one reaches the same tasks. */
  publish(secrecy: Secrecy, write: (event: Event) => void): void {
    for (const event of this.#events.values()) write(redactEvent(event, secrecy))
  }
}
