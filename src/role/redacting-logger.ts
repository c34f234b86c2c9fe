import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts'
import type { LogFields, Logger } from '../base/logger.ts'
import type { Secrecy } from './secrecy.ts'

/** A logger whose lines hold nothing that the run has seen of Secrets. */
export function redactingLogger(logger: Logger, secrecy: Secrecy): Logger {
  const redact = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') return secrecy.redact(value)
    if (isJsonArray(value)) return value.map((item) => redact(item) as JsonValue)
    return isJsonObject(value) ? redactFields(value) : value
  }
  const redactFields = (fields: LogFields): LogFields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [secrecy.redact(name), redact(value)]))
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void =>
      logger[level](secrecy.redact(message), fields && redactFields(fields))
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => redactingLogger(logger.child(redactFields(fields)), secrecy),
  }
}
