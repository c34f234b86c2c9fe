import { env } from 'node:process'
import { expect } from 'chai'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { openTracing } from '../../../src/rolebook/telemetry/open-tracing.ts'
import { TraceReceiver } from '../../support/trace-receiver.ts'

describe('the traces of a process', () => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT } = env
  afterEach(() => {
    for (const [name, value] of Object.entries({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT })) {
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  })

  it('that cannot be delivered at its end are lost, and it ends well', async () => {
    const closed = await TraceReceiver.start()
    Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: closed.url, OTEL_EXPORTER_OTLP_TIMEOUT: '50' })
    closed.stop()
    const log: string[] = []
    const logger = { ...nopLogger, warn: (message: string): void => void log.push(message) }
    const { spans, close } = openTracing({ environment: env, version: '1.0.0', logger })
    const request = { group: 'example.com', kind: 'Widget', namespace: 'default', name: 'web' }
    await spans
      .run({ request, secrecy: { redact: (text) => text } }, () => Promise.reject(new Error('no')))
      .catch(String)
    expect(log, 'before its end').to.deep.equal([])
    expect(await close()).to.equal(undefined)
    expect(log).to.deep.equal(['traces cannot be delivered: those of now are lost, all else goes on'])
  })
})
