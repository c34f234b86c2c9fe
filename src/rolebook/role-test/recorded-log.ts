import type { LogFields, Logger } from '../../core/base/logger.ts'

/** Keeps every line that is logged, with its fields, as text. */
export class RecordedLog {
  readonly lines: string[] = []
  readonly logger: Logger = this.#loggerWith({})

  #loggerWith(bound: LogFields): Logger {
    const record = (message: string, fields?: LogFields): void => {
      this.lines.push(`${message} ${JSON.stringify({ ...bound, ...fields })}`)
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
