import { styleText } from 'node:util'
import { type Logger as Pino, pino } from 'pino'
import type { LogFields, Logger, LogLevel } from '../base/logger.ts'
import { printableText } from '../base/printable-text.ts'
import type { Terminal } from './terminal.ts'

export interface LoggerOptions {
  readonly level: LogLevel
  /** `json`: one line of JSON each; `text`: for people. */
  readonly format: 'json' | 'text'
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
        timestamp: pino.stdTimeFunctions.isoTime,
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

const LEVELS: Readonly<Record<number, readonly [string, 'gray' | 'green' | 'yellow' | 'red']>> = {
  20: ['debug', 'gray'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
}

function toText(line: string, color: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const [word, paint] = LEVELS[Number(level)] ?? ['info', 'green']
  const label = color ? styleText(paint, word.padEnd(5)) : word.padEnd(5)
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${String(time).slice(11, 19)} ${label} ${printableText(String(msg) + rest.join(''))}\n`
}
