import type { JsonValue } from './json.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = { readonly [name: string]: JsonValue | undefined }

/** Structured logging as a port. `cli` supplies the real one. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger
}

/** Says nothing. */
export const nopLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => nopLogger,
}
