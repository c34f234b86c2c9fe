import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { SpanRecorder } from '../../../src/rolebook/telemetry/span-recorder.ts'

const RUN = {
  request: { group: 'example.com', kind: 'Widget', namespace: 'shop', name: 'web' },
  secrecy: { redact: (text: string) => text },
}
const READ = { method: 'GET', url: 'https://k8s.example.com/version' } as const
const TASK = { name: 'Database', kind: 'ensure' }

describe('the recorder of spans', () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  let spans: SpanRecorder
  beforeEach(() => {
    exporter.reset()
    spans = new SpanRecorder(provider.getTracer('test'))
  })
  const finished = (): readonly string[] => exporter.getFinishedSpans().map(({ name }) => name)

  it('makes none of a run that did nothing and reports nothing', async () => {
    expect(await spans.run(RUN, async () => 'done')).to.equal('done')
    expect(finished()).to.deep.equal([])
  })

  it('makes one of a run that was put off after it has sent requests', async () => {
    await spans.run(RUN, async () => spans.onExchange(READ)({ httpStatus: 200 }))
    expect(finished()).to.deep.equal(['GET /version', 'reconcile Widget.example.com'])
    expect(exporter.getFinishedSpans()[1]?.attributes['rolebook.run.result']).to.equal('postponed')
  })

  it('makes one of a run that throws, and throws the same', async () => {
    const defect = new Error('a defect')
    const thrown = await spans.run(RUN, () => Promise.reject(defect)).catch((error: unknown) => error)
    expect(thrown).to.equal(defect)
    expect(exporter.getFinishedSpans()[0]?.status).to.deep.equal({ code: 2, message: 'a defect' })
  })

  it('makes none of what no run has asked for', async () => {
    spans.onExchange(READ)({ httpStatus: 200 })
    expect(await spans.task(TASK, async () => ({ kind: 'changed' }))).to.deep.equal({ kind: 'changed' })
    expect(finished()).to.deep.equal([])
    expect(spans.ids()).to.deep.equal({})
  })
})
