import { styleText } from 'node:util'
import { type Logger as Pino, pino } from 'pino'
import type { LogFields, Logger, LogLevel } from '../../core/base/logger.ts'
import { printableText } from '../../core/base/printable-text.ts'
import type { Terminal } from './terminal.ts'

export interface LoggerOptions {
  readonly level: LogLevel
  /** `json`: one line of JSON each; `text`: for people. */
  readonly format: 'json' | 'text'
  /** Gives fields for a line when it is written. Defaults to none. */
  readonly present?: (() => LogFields) | undefined
}

/** The logger of the process: to standard error, so that results stay alone on standard output. */
export function terminalLogger(terminal: Pick<Terminal, 'err' | 'color'>, options: LoggerOptions): Logger {
  const write =
    options.format === 'json'
      ? (line: string) => terminal.err(line)
      : (line: string) => terminal.err(toText(line, terminal.color))
  return toLogger(
    pino(
      {
        level: options.level,
        base: null,
        ...(options.present && { mixin: options.present }),
        timestamp: pino.stdTimeFunctions.isoTime,
        // Collectors such as Loki and Cloud Logging read words, not pino's numbers.
        formatters: { level: (level) => ({ level }) },
      },
      { write },
    ),
  )
}

function toLogger(sink: Pino): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => sink[level](fields ?? {}, message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => toLogger(sink.child(fields)),
  }
}

/** Node would look at the streams of the process again, and at `NO_COLOR` in another way. */
const ALREADY_DECIDED = { validateStream: false }

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const

interface Line {
  readonly level: LogLevel
  readonly time: string
  readonly msg: string
  readonly [field: string]: unknown
}

function toText(line: string, color: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Line
  const label = color ? styleText(COLORS[level], level.padEnd(5), ALREADY_DECIDED) : level.padEnd(5)
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${time.slice(11, 19)} ${label} ${printableText(msg + rest.join(''))}\n`
}
