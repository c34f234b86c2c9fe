import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { ReportingExporter } from '../../../src/rolebook/telemetry/reporting-exporter.ts'

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]

const DELIVERED: Result = { code: 0 }
const failedBy = (error: Error): Result => ({ code: 1, error })

describe('the delivery of spans', () => {
  const cases: readonly { name: string; results: readonly Result[]; log: readonly string[] }[] = [
    { name: 'nothing while all goes well', results: [DELIVERED, DELIVERED], log: [] },
    {
      name: 'once that it fails, until it works again, of which it tells as well',
      results: [failedBy(new Error('refused')), failedBy(new Error('too late')), DELIVERED, DELIVERED],
      log: ['warn refused', 'info traces are delivered again'],
    },
    {
      name: 'the code of an error without a message, as that of several addresses is',
      results: [failedBy(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))],
      log: ['warn ECONNREFUSED'],
    },
    {
      name: 'the name of an error that has nothing else',
      results: [failedBy(new TypeError())],
      log: ['warn TypeError'],
    },
  ]
  for (const { name, results, log } of cases) {
    it(`says in the log ${name}`, () => {
      const left = [...results]
      const inner: SpanExporter = { export: (_spans, done) => done(left.shift() as Result), shutdown: async () => {} }
      const said: string[] = []
      const exporter = new ReportingExporter(inner, {
        warn: (_message, fields) => void said.push(`warn ${fields?.reason}`),
        info: (message) => void said.push(`info ${message}`),
      })
      const passedOn: Result[] = []
      for (const _result of results) exporter.export([], (result) => passedOn.push(result))
      expect(said).to.deep.equal(log)
      expect(passedOn).to.deep.equal(results)
    })
  }
})
