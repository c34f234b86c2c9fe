import {
  type Attributes,
  type AttributeValue,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { SpannedRun } from '../../engine/role/run/run-spans.ts'

/** How a span ends. Its texts may hold secrets of the run. */
export interface SpanEnd {
  readonly attributes: Attributes
  /** What went wrong. Absent: nothing. */
  readonly error?: string | undefined
}

export interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
}

/** Spans of one run, beside its own. More would take memory until the run ends, and push out those of other runs. */
const MOST = 1_000

/**
 * The spans of one run. They leave when it has ended, since only then all secrets are known that must be redacted. What is known to be
 * secret earlier is redacted at once, too: a resource that is gone has taken its secrets with it.
 */
export class RunRecord {
  readonly span: Span
  readonly #tracer: Tracer
  readonly #secrecy: SpannedRun['secrecy']
  readonly #ended: (() => void)[] = []
  #isOpen = true
  #count = 0

  constructor(tracer: Tracer, name: string, secrecy: SpannedRun['secrecy']) {
    this.#tracer = tracer
    this.#secrecy = secrecy
    // Never within what has started the run.
    this.span = tracer.startSpan(name, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT)
  }

  /** Whether it goes on. What its work has started, such as a watch, may go on for longer. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Begins a span within another one of the run. `undefined`: there are too many, or the run has ended. */
  begin({ name, kind }: SpanStart, parent: Span): Span | undefined {
    if (!this.#isOpen || this.#count++ >= MOST) return undefined
    return this.#tracer.startSpan(name, { kind }, trace.setSpan(ROOT_CONTEXT, parent))
  }

  /** Ends a span that was begun here. To be called within the work of the run. */
  end(span: Span, end: SpanEnd): void {
    const at = performance.now()
    const known = this.#redactedEnd(end)
    if (this.#isOpen) this.#ended.push(() => finish(span, this.#redactedEnd(known), at))
    else finish(span, known, at)
  }

  /** Ends the run, and lets all of its spans leave. */
  close(end: SpanEnd): void {
    this.#isOpen = false
    const at = performance.now()
    for (const leave of this.#ended) leave()
    const dropped = this.#count - MOST
    const attributes = { ...end.attributes, ...(dropped > 0 && { 'rolebook.spans.dropped': dropped }) }
    finish(this.span, this.#redactedEnd({ ...end, attributes }), at)
  }

  /** Ends the run without a word of it. */
  discard(): void {
    this.#isOpen = false
  }

  #redactedEnd({ attributes, error }: SpanEnd): SpanEnd {
    return {
      attributes: this.#redacted(attributes),
      error: error === undefined ? undefined : this.#secrecy.redact(error),
    }
  }

  #redacted(attributes: Attributes): Attributes {
    return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, this.#redactedValue(value)]))
  }

  #redactedValue(value: AttributeValue | undefined): AttributeValue | undefined {
    if (typeof value === 'string') return this.#secrecy.redact(value)
    if (!Array.isArray(value)) return value
    return value.map((one) => (typeof one === 'string' ? this.#secrecy.redact(one) : one)) as AttributeValue
  }
}

function finish(span: Span, { attributes, error }: SpanEnd, at: number): void {
  span.setAttributes(attributes)
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
  span.end(at)
}
