import type { LogFields, Logger, LogLevel } from '../../core/base/logger.ts'
import type { Invocation } from './command.ts'
import { type LoggerOptions, terminalLogger } from './pino-logger.ts'

/** The logger that the flags of an invocation ask for, writing to `write`. `present` gives fields for each line. Defaults to none. */
export function newLogger(
  { terminal, given }: Invocation,
  write: (text: string) => void,
  present?: () => LogFields,
): Logger {
  const asked = given('log-format') as LoggerOptions['format'] | 'auto'
  const format = asked === 'auto' ? (terminal.interactive ? 'text' : 'json') : asked
  const level = given('log-level') as LogLevel
  return terminalLogger({ err: write, color: terminal.color }, { level, format, present })
}
