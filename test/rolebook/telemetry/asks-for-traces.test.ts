import { expect } from 'chai'
import { asksForTraces } from '../../../src/rolebook/telemetry/asks-for-traces.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

describe('an environment', () => {
  const cases = [
    { name: 'that is empty', environment: {}, asks: false },
    { name: 'with an endpoint', environment: ENDPOINT, asks: true },
    {
      name: 'with an endpoint of traces',
      environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' },
      asks: true,
    },
    { name: 'with an endpoint that is empty', environment: { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, asks: false },
    {
      name: 'with a name and a sampler alone',
      environment: { OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' },
      asks: false,
    },
    { name: 'with the exporter named', environment: { OTEL_TRACES_EXPORTER: 'otlp' }, asks: true },
    {
      name: 'with the exporter named among others',
      environment: { OTEL_TRACES_EXPORTER: 'console, otlp' },
      asks: true,
    },
    { name: 'with no exporter', environment: { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, asks: false },
    { name: 'with the SDK disabled', environment: { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }, asks: false },
    { name: 'with the SDK not disabled', environment: { ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }, asks: true },
  ]
  for (const { name, environment, asks } of cases) {
    it(`${name} ${asks ? 'asks' : 'does not ask'} for traces`, () => expect(asksForTraces(environment)).to.equal(asks))
  }
})
