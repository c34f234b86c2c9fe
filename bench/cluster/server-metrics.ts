/** What an API server says of itself in `/metrics`: requests that it has answered, and processor time that it took. */

export interface RequestCount {
  /** As the server names it: `APPLY`, `POST`, `PUT`, `PATCH`, `DELETE`, `GET`, `LIST`, `WATCH`. */
  readonly verb: string
  /** `configmaps`, `widgets.bench.rolebook.dev/status`. */
  readonly resource: string
  readonly code: string
  readonly count: number
}

export interface ServerMetrics {
  readonly requests: readonly RequestCount[]
  readonly cpuSeconds: number
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g
const WRITES = new Set(['APPLY', 'POST', 'PUT', 'PATCH', 'DELETE', 'DELETECOLLECTION'])
/** Watches are counted when they end, which says nothing of a phase. */
const READS = new Set(['GET', 'LIST'])
const EVENTS = new Set(['events', 'events.events.k8s.io'])

/** @param text in the text format of Prometheus */
export function parseServerMetrics(text: string): ServerMetrics {
  const counts = new Map<string, RequestCount>()
  let cpuSeconds = 0
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    if (name === 'process_cpu_seconds_total') cpuSeconds = Number(value)
    if (name === 'apiserver_request_total') add(counts, toCount(labels, Number(value)))
  }
  return { requests: [...counts.values()], cpuSeconds }
}

/** What has been answered between two readings, less what the bench itself has sent meanwhile. */
export function requestsBetween(
  before: ServerMetrics,
  after: ServerMetrics,
  own: readonly RequestCount[],
): readonly RequestCount[] {
  const counts = new Map<string, RequestCount>()
  for (const one of after.requests) add(counts, one)
  for (const one of [...before.requests, ...own]) add(counts, { ...one, count: -one.count })
  return [...counts.values()].filter(({ count }) => count !== 0)
}

/** Of a widget or an object that is made of it, and not of the lease, the rights or the discovery of an operator. */
export function isWrite({ verb, resource }: RequestCount): boolean {
  return WRITES.has(verb) && isOfWorkload(resource)
}

export function isRead({ verb, resource }: RequestCount): boolean {
  return READS.has(verb) && isOfWorkload(resource)
}

export function isEventWrite({ verb, resource }: RequestCount): boolean {
  return WRITES.has(verb) && EVENTS.has(resource)
}

function isOfWorkload(resource: string): boolean {
  return /^(configmaps|secrets|serviceaccounts|widget\d*s\.bench\.rolebook\.dev)(\/status)?$/.test(resource)
}

/** Refused ones included. */
export function sumOf(requests: readonly RequestCount[], isMeant: (request: RequestCount) => boolean): number {
  return requests.filter(isMeant).reduce((sum, { count }) => sum + count, 0)
}

function toCount(labels: string, count: number): RequestCount {
  const {
    verb = '',
    group = '',
    resource = '',
    subresource = '',
    code = '',
  } = Object.fromEntries([...labels.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value])) as Readonly<
    Record<string, string>
  >
  const qualified = group === '' ? resource : `${resource}.${group}`
  return { verb, resource: subresource === '' ? qualified : `${qualified}/${subresource}`, code, count }
}

function add(counts: Map<string, RequestCount>, one: RequestCount): void {
  const key = `${one.verb} ${one.resource} ${one.code}`
  counts.set(key, { ...one, count: one.count + (counts.get(key)?.count ?? 0) })
}
