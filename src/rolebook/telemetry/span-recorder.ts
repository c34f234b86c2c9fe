import { AsyncLocalStorage } from 'node:async_hooks'
import { type Span, SpanKind, type Tracer } from '@opentelemetry/api'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import type { ExchangeListener } from '../../core/kube-client/transport.ts'
import type { RunListener, RunReport } from '../../engine/reconcile/trace/run-trace.ts'
import type { RunSpans, SpannedRun, SpannedTask } from '../../engine/role/run/run-spans.ts'
import type { TaskOutcome } from '../../engine/role/task-outcome.ts'
import { requestAttributes, requestEnd } from './request-span.ts'
import { RunRecord } from './run-record.ts'
import { runEnd, type Thrown, taskEnd } from './run-span.ts'

/** Where the work under way belongs. */
interface Place {
  readonly run: RunRecord
  /** Of the run, or of its task. */
  readonly span: Span
  report?: RunReport | undefined
}

/** Makes spans of runs, of their tasks and of the requests of both. */
export class SpanRecorder implements RunSpans {
  readonly #tracer: Tracer
  readonly #places = new AsyncLocalStorage<Place>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  run<Result>(about: SpannedRun, work: () => Promise<Result>): Promise<Result> {
    const run = new RunRecord(this.#tracer, `reconcile ${formatGroupKind(about.request)}`, about.secrecy)
    const place: Place = { run, span: run.span }
    return this.#places.run(place, () =>
      settled(work, (ended) => {
        const thrown = isThrown(ended) ? ended : undefined
        const isWithoutNews = place.report ? !place.report.trace : !thrown && run.isEmpty
        if (isWithoutNews) run.discard()
        else run.close(runEnd(about.request, place.report, thrown))
      }),
    )
  }

  task(task: SpannedTask, work: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
    const around = this.#places.getStore()
    const span = around?.run.begin({ name: task.name, kind: SpanKind.INTERNAL }, around.span)
    if (!(around && span)) return work()
    const { run } = around
    return this.#places.run({ run, span }, () => settled(work, (ended) => run.end(span, taskEnd(task, ended))))
  }

  /** Tells the present run what it came to. To be called with every report. */
  readonly onRun: RunListener = (report) => {
    const place = this.#places.getStore()
    if (place) place.report = report
  }

  readonly onExchange: ExchangeListener = (sent) => {
    const around = this.#places.getStore()
    if (!around) return () => undefined
    const attributes = requestAttributes(sent)
    const name = `${sent.method} ${attributes['url.template']}`
    let span = around.run.begin({ name, kind: SpanKind.CLIENT }, around.span)
    return (ended) => {
      const end = requestEnd(ended, sent)
      if (span) around.run.end(span, { ...end, attributes: { ...attributes, ...end.attributes } })
      span = undefined
    }
  }

  /** What a line of the log says of the run that writes it. */
  ids(): { readonly trace_id?: string; readonly span_id?: string } {
    const place = this.#places.getStore()
    if (!place?.run.isOpen) return {}
    const { traceId, spanId } = place.span.spanContext()
    return { trace_id: traceId, span_id: spanId }
  }
}

/** Does `work`, and calls `end` with what it came to, or with what it has thrown. */
async function settled<Result>(work: () => Promise<Result>, end: (ended: Result | Thrown) => void): Promise<Result> {
  const [settlement] = await Promise.allSettled([work()])
  if (settlement.status === 'rejected') {
    end({ thrown: settlement.reason })
    throw settlement.reason
  }
  end(settlement.value)
  return settlement.value
}

function isThrown(ended: unknown): ended is Thrown {
  return typeof ended === 'object' && ended !== null && 'thrown' in ended
}
