import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { systemClock } from '../../core/base/clock.ts'
import { inTime } from '../../core/base/in-time.ts'
import type { Logger } from '../../core/base/logger.ts'
import { ReportingExporter } from './reporting-exporter.ts'
import { SpanRecorder } from './span-recorder.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Traces of this process. */
export interface Tracing {
  readonly spans: SpanRecorder
  /** Sends what is left, for a few seconds at most. Never rejects. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** Of the process. The SDK reads its own variables itself. */
  readonly environment: Environment
  /** Of the program. */
  readonly version: string
  readonly logger: Logger
}

/** Milliseconds that a delivery may take with all tries. At the end, Kubernetes gives a process ten seconds beyond its period of grace. */
const DELIVERY_TIMEOUT = 5_000

/** Begins to make spans, and to send them by OTLP over HTTP, as JSON. */
export function openTracing({ environment, version, logger }: TracingOptions): Tracing {
  logWrongSettings(environment, logger)
  const exporter = new ReportingExporter(new OTLPTraceExporter(timeoutOf(environment)), logger)
  const provider = new BasicTracerProvider({
    resource: resourceOf(environment, version),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  // What it says later repeats what the exporter reports.
  diag.disable()
  return { spans: new SpanRecorder(provider.getTracer('rolebook', version)), close: () => close(provider) }
}

function logWrongSettings(
  { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ofTraces, ...others }: Environment,
  logger: Logger,
): void {
  const warn = (problem: string): void => logger.warn('a setting of the traces is not used', { problem })
  const silent = (): void => undefined
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  const protocol = ofTraces || others.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol === 'grpc')
    warn('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": traces are sent by http/json (give the port for HTTP, such as 4318)')
}

/** Absent where the SDK has one from the environment. */
function timeoutOf(environment: Environment): { readonly timeoutMillis?: number } {
  const isGiven = environment.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || environment.OTEL_EXPORTER_OTLP_TIMEOUT
  return isGiven ? {} : { timeoutMillis: DELIVERY_TIMEOUT }
}

function resourceOf({ POD_NAME, POD_NAMESPACE }: Environment, version: string): Resource {
  const own = {
    'service.name': 'rolebook',
    'service.version': version,
    ...(POD_NAME && { 'k8s.pod.name': POD_NAME }),
    ...(POD_NAMESPACE && { 'k8s.namespace.name': POD_NAMESPACE }),
  }
  const given = detectResources({ detectors: [envDetector] })
  return defaultResource().merge(resourceFromAttributes(own)).merge(given)
}

async function close(provider: BasicTracerProvider): Promise<void> {
  const end = systemClock.monotonic() + DELIVERY_TIMEOUT
  try {
    await inTime(provider.shutdown(), { clock: systemClock, end, tooLate: () => new Error('too late') })
  } catch {
    // The log says already that spans could not be delivered.
  }
}
