import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { CodedError } from '../base/coded-error.ts'
import type { Logger } from '../base/logger.ts'
import type { KubeClient } from '../kube/client.ts'
import type { OpenApiSource } from '../kube/openapi-source.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'
import { fixedCredentials, type ServerAccess } from './access.ts'
import { DiscoveredMapper } from './discovered-mapper.ts'
import { DiscoveredOpenApi } from './discovered-openapi.ts'
import type { Environment } from './environment-proxy.ts'
import { RequestRate } from './request-rate.ts'
import { RestClient } from './rest-client.ts'
import { type ExchangeListener, Transport } from './transport.ts'

export interface ConnectOptions {
  /** Path of a kubeconfig. Defaults to what kubectl reads, else the pod's service account. */
  readonly kubeconfig?: string | undefined
  /** Defaults to the current one. */
  readonly context?: string | undefined
  /** Where a proxy may be named. Defaults to an empty one. */
  readonly environment?: Environment | undefined
  /** A server without kubeconfig, as the sandbox. Only this form may be plain `http:`. */
  readonly server?: DirectServer | undefined
  readonly userAgent: string
  readonly logger: Logger
  readonly clock: Clock
  /** Connections that requests share. Defaults to 32. */
  readonly connections?: number | undefined
  /** Milliseconds that a request may take. Defaults to 30 s. */
  readonly deadline?: number | undefined
  /** Requests a second at most, less watches and what concerns leases. Defaults to 0, which is no limit. */
  readonly apiQps?: number | undefined
  /** Requests that may be sent at once before that limit counts. Defaults to those of two seconds. */
  readonly apiBurst?: number | undefined
  /** Follows what is sent, but watches. Defaults to none. */
  readonly onExchange?: ExchangeListener | undefined
}

export interface DirectServer {
  readonly url: string
  /** PEM. Defaults to the authorities that Node trusts. */
  readonly ca?: string | undefined
  readonly token?: string | undefined
  /** Carries requests in place of connections of our own, as to a server in the same process. Destroyed on close. */
  readonly dispatcher?: Dispatcher | undefined
}

export interface Connection {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
  readonly serverUrl: string
  /** The body of any path of the server. Rejects with an `ApiError`. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Name of the kubeconfig's context. Absent: the access is a pod's, or comes from no kubeconfig. */
  readonly context?: string | undefined
  /** Namespace of the kubeconfig's context, or of the pod. */
  readonly namespace?: string | undefined
  /** Ends all connections; what is under way rejects. */
  close(): Promise<void>
}

/**
 * Everything one needs of a cluster. Sends nothing yet.
 *
 * @throws CodedError `InvalidKubeconfig`, `InvalidServerUrl`
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { clock, logger } = options
  const server = options.server ? directAccess(options.server) : await accessByKubeconfig(options)
  const { apiQps: perSecond = 0, apiBurst: burst } = options
  const rate = perSecond > 0 ? new RequestRate({ clock, perSecond, burst }) : undefined
  const transport = new Transport({ ...options, server, rate })
  const mapper = new DiscoveredMapper({ transport, clock, logger })
  return {
    client: new RestClient({ transport, mapper, clock }),
    mapper,
    openApi: new DiscoveredOpenApi(transport),
    serverUrl: transport.serverUrl,
    read: async (path, headers) => (await transport.send({ method: 'GET', path, headers })).text,
    context: server.context,
    namespace: server.namespace,
    close: () => transport.close(),
  }
}

/** Imported only here: the library takes half a second to load, which the sandbox need not pay. */
async function accessByKubeconfig(options: ConnectOptions): Promise<ServerAccess> {
  const { kubeconfigAccess } = await import('./kubeconfig-credentials.ts')
  return kubeconfigAccess(options)
}

function directAccess({ url, ca, token, dispatcher }: DirectServer): ServerAccess {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    throw new CodedError('InvalidServerUrl', `cannot connect: "${url}" is not an http or https URL`)
  }
  const headers: { [name: string]: string } = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return { url: parsed, credentials: fixedCredentials({ headers, tls: { ca } }), dispatcher }
}
