import type { Logger, LogLevel } from '../base/logger.ts'
import type { Invocation } from './command.ts'
import { terminalLogger } from './pino-logger.ts'

/** The logger that the flags of an invocation ask for, writing to `write`. */
export function newLogger({ terminal, text }: Invocation, write: (text: string) => void): Logger {
  const format = text('log-format') === 'json' ? 'json' : 'text'
  const level = (text('log-level') ?? 'info') as LogLevel
  return terminalLogger({ err: write, color: terminal.color }, { level, format })
}
