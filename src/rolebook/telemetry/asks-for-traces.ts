/**
 * Whether the environment asks for traces: it says where they go, or how they leave. Other variables of OpenTelemetry alone do not, since
 * platforms give them to every process.
 */
export function asksForTraces(environment: Readonly<Record<string, string | undefined>>): boolean {
  const said = (name: string): string => environment[name]?.trim() ?? ''
  const exporters = said('OTEL_TRACES_EXPORTER').toLowerCase()
  if (said('OTEL_SDK_DISABLED').toLowerCase() === 'true') return false
  if (exporters !== '') return exporters.split(',').some((name) => name.trim() === 'otlp')
  return said('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || said('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
}
