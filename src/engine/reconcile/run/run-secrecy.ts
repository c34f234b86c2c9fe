import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonValue } from '../../../core/base/json.ts'
import { Secrecy } from '../../role/secrecy.ts'

const NOTHING = new Secrecy()

/**
 * Redacts with the secrets of the present run, for code that knows nothing of runs: a shared logger, the warnings of a client.
 */
export class RunSecrecy implements Pick<Secrecy, 'redact' | 'redactValue'> {
  readonly #running = new AsyncLocalStorage<() => Secrecy>()

  /** While `work` runs, also after it has waited, what it logs is redacted with `secrecy`. */
  during<T>(secrecy: () => Secrecy, work: () => Promise<T>): Promise<T> {
    return this.#running.run(secrecy, work)
  }

  redact(text: string): string {
    return this.#current.redact(text)
  }

  redactValue(value: JsonValue): JsonValue {
    return this.#current.redactValue(value)
  }

  get #current(): Secrecy {
    return this.#running.getStore()?.() ?? NOTHING
  }
}
