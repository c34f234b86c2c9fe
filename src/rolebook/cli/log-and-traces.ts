import type { Logger } from '../../core/base/logger.ts'
import { asksForTraces } from '../telemetry/asks-for-traces.ts'
import type { Tracing } from '../telemetry/open-tracing.ts'
import type { Invocation } from './command.ts'
import { newLogger } from './new-logger.ts'
import { programVersion } from './program-version.ts'

export interface LogAndTraces {
  readonly logger: Logger
  /** Absent: the environment does not ask for traces. */
  readonly tracing: Tracing | undefined
}

/** The log of an operator and its traces. With traces, a line of the log says to which one it belongs. */
export async function openLogAndTraces(invocation: Invocation): Promise<LogAndTraces> {
  const { terminal } = invocation
  const { environment } = terminal
  const write = (text: string): void => terminal.err(text)
  if (!asksForTraces(environment)) return { logger: newLogger(invocation, write), tracing: undefined }
  // The SDK takes time and memory, so nothing else may load it.
  const { openTracing } = await import('../telemetry/open-tracing.ts')
  let tracing: Tracing | undefined
  const logger = newLogger(invocation, write, () => ({ ...tracing?.spans.ids() }))
  tracing = openTracing({ environment, version: programVersion(), logger })
  return { logger, tracing }
}
