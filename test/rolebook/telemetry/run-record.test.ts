import { SpanKind } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { RunRecord } from '../../../src/rolebook/telemetry/run-record.ts'

const SECRET = 'hunter2'

describe('the spans of a run', () => {
  const exporter = new InMemorySpanExporter()
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test')
  let known: string[]
  let run: RunRecord

  beforeEach(() => {
    exporter.reset()
    known = []
    const redact = (text: string): string => known.reduce((left, secret) => left.replaceAll(secret, '<redacted>'), text)
    run = new RunRecord(tracer, 'reconcile Widget', { redact })
  })

  const begin = () => run.begin({ name: 'a task', kind: SpanKind.INTERNAL }, run.span)

  it('leave when the run has ended, without a secret that was read after them', () => {
    const span = begin()
    if (span) run.end(span, { attributes: { text: SECRET, list: [SECRET, 'plain'] }, error: `refused ${SECRET}` })
    expect(exporter.getFinishedSpans(), 'before the run has ended').to.deep.equal([])
    known.push(SECRET)
    run.close({ attributes: {}, error: `failed with ${SECRET}` })
    const [task, whole] = exporter.getFinishedSpans()
    expect(task?.attributes).to.deep.equal({ text: '<redacted>', list: ['<redacted>', 'plain'] })
    expect(task?.status.message).to.equal('refused <redacted>')
    expect(whole?.status.message).to.equal('failed with <redacted>')
  })

  it('are without a secret that was known only when they ended', () => {
    known.push(SECRET)
    const span = begin()
    if (span) run.end(span, { attributes: { text: SECRET }, error: SECRET })
    known.pop()
    run.close({ attributes: {} })
    expect(exporter.getFinishedSpans()[0]).to.deep.include({ attributes: { text: '<redacted>' } })
    expect(exporter.getFinishedSpans()[0]?.status.message).to.equal('<redacted>')
  })

  it('are a thousand at most, and the run says how many it left out', () => {
    const spans = Array.from({ length: 1003 }, begin)
    for (const span of spans) if (span) run.end(span, { attributes: {} })
    run.close({ attributes: {} })
    const finished = exporter.getFinishedSpans()
    expect(finished).to.have.lengthOf(1001)
    expect(finished.at(-1)?.attributes).to.deep.equal({ 'rolebook.spans.dropped': 3 })
  })

  it('leave at once when they end after the run, such as that of a watch', () => {
    const span = begin()
    run.close({ attributes: {} })
    known.push(SECRET)
    if (span) run.end(span, { attributes: { text: SECRET, sizes: [1, 2] } })
    const [whole, late] = exporter.getFinishedSpans()
    expect([whole?.name, late?.name]).to.deep.equal(['reconcile Widget', 'a task'])
    expect(late?.attributes).to.deep.equal({ text: '<redacted>', sizes: [1, 2] })
  })

  it('are none after the run', () => {
    run.close({ attributes: {} })
    expect(begin()).to.equal(undefined)
  })
})
