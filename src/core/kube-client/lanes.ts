import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import type { TlsMaterial } from './access.ts'

export type Lane = 'shared' | 'own' | 'lease'

/** The connections to one server, made with one set of TLS material. */
export interface Lanes extends Readonly<Record<Lane, Dispatcher>> {
  readonly tls: TlsMaterial
}

export interface LaneOptions {
  readonly tls: TlsMaterial
  /** How many connections the shared lane has. */
  readonly connections: number
  readonly proxyUrl: string | undefined
  /** All lanes are this one. */
  readonly dispatcher?: Dispatcher | undefined
}

/**
 * The shared lane is a bounded pool; in the others each request has a connection at once. HTTP/2 is off: it gained
 * nothing on loopback. undici's own timeouts are off: deadlines are the transport's.
 */
export function openLanes({ tls, connections, proxyUrl, dispatcher }: LaneOptions): Lanes {
  if (dispatcher) return { tls, shared: dispatcher, own: dispatcher, lease: dispatcher }
  const options = {
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    connect: { ...definedOnly(tls), timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 15_000 },
  }
  const open = (limit: number | null): Dispatcher =>
    proxyUrl === undefined
      ? new Agent({ ...options, connections: limit })
      : new ProxyAgent({ ...options, connections: limit, uri: proxyUrl, requestTls: options.connect })
  return { tls, shared: open(connections), own: open(null), lease: open(null) }
}

function definedOnly(tls: TlsMaterial): object {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
}
