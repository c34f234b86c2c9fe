import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../../core/base/logger.ts'

type Done = Parameters<SpanExporter['export']>[1]
type Result = Parameters<Done>[0]

/** Says in the log when spans cannot be delivered, once until they can be again. */
export class ReportingExporter implements SpanExporter {
  readonly #inner: SpanExporter
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  #isFailing = false

  constructor(inner: SpanExporter, logger: Pick<Logger, 'warn' | 'info'>) {
    this.#inner = inner
    this.#logger = logger
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#inner.export(spans, (result) => {
      this.#report(result)
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown()
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.()
  }

  #report({ error }: Result): void {
    const isFailing = error !== undefined
    if (isFailing === this.#isFailing) return
    this.#isFailing = isFailing
    if (!isFailing) this.#logger.info('traces are delivered again')
    else
      this.#logger.warn('traces cannot be delivered: those of now are lost, all else goes on', {
        reason: reasonOf(error),
      })
  }
}

/** An error of several addresses has no message. */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  return error.message || String(error.code ?? error.name)
}
