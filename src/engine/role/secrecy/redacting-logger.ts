import type { LogFields, Logger } from '../../../core/base/logger.ts'
import type { Secrecy } from './secrecy.ts'

/** A logger whose lines hold nothing that the run has seen of Secrets. */
export function redactingLogger(logger: Logger, secrecy: Pick<Secrecy, 'redact' | 'redactValue'>): Logger {
  const redact = (fields: LogFields): LogFields => secrecy.redactValue(fields) as LogFields
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void =>
      logger[level](secrecy.redact(message), fields && redact(fields))
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => redactingLogger(logger.child(redact(fields)), secrecy),
  }
}
