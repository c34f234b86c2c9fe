import type { LogFields, Logger } from '../../core/base/logger.ts'

/** Keeps every line that is logged, with its fields, as text. */
export class RecordedLog {
  readonly lines: string[] = []
  readonly logger: Logger
  readonly #spell: (text: string) => string

  /** @param spell how a line is to read. Defaults to what it is. */
  constructor(spell = (text: string): string => text) {
    this.#spell = spell
    this.logger = this.#loggerWith({})
  }

  #loggerWith(bound: LogFields): Logger {
    const record = (message: string, fields?: LogFields): void => {
      this.lines.push(this.#spell(`${message} ${JSON.stringify({ ...bound, ...fields })}`))
    }
    return {
      debug: record,
      info: record,
      warn: record,
      error: record,
      child: (fields) => this.#loggerWith({ ...bound, ...fields }),
    }
  }
}
