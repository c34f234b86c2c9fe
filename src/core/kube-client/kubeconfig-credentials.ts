import { bufferFromFileOrString, type Cluster, type KubeConfig } from '@kubernetes/client-node'
import type { Clock } from '../base/clock.ts'
import { CodedError, explain } from '../base/coded-error.ts'
import { sha256 } from '../base/hash.ts'
import { inTime } from '../base/in-time.ts'
import type { Logger } from '../base/logger.ts'
import { ApiError } from '../kube/api-error.ts'
import type { Access, Credentials, ServerAccess, TlsMaterial } from './access.ts'
import { type Environment, environmentProxy } from './environment-proxy.ts'
import { PluginProcess } from './plugin-process.ts'
import { TokenFileConfig } from './token-file-config.ts'

export interface KubeconfigOptions {
  /** Defaults to what kubectl reads, else the pod's service account. */
  readonly kubeconfig?: string | undefined
  /** Defaults to the current one. */
  readonly context?: string | undefined
  /** Where a proxy may be named. Defaults to an empty one. */
  readonly environment?: Environment | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * The server and the way in that a kubeconfig names.
 *
 * @throws CodedError `InvalidKubeconfig`
 */
export function kubeconfigAccess(options: KubeconfigOptions): ServerAccess {
  const { config, cluster } = load(options)
  const url = serverUrl(cluster)
  const proxyUrl = cluster.proxyUrl ?? environmentProxy(url, options.environment ?? {})
  if (proxyUrl !== undefined && !/^https?:/.test(proxyUrl)) throw unusable(`proxy "${proxyUrl}" is not supported`)
  const name = config.getCurrentContext()
  const context = name === CONTEXT_OF_POD ? undefined : name
  const namespace = config.getContextObject(name)?.namespace?.trim()
  return { url, credentials: new KubeconfigCredentials(config, options), proxyUrl, context, namespace }
}

/** What the library calls the context that it makes of the service account of a pod. */
const CONTEXT_OF_POD = 'inClusterContext'

/** Milliseconds for which what was read is believed: files may be rotated at any time. */
const LIFETIME = 60_000
/** Milliseconds between two renewals that refusals lead to: access that was revoked must not start a process a request. */
const RENEWAL_INTERVAL = 5000
/** Milliseconds after which credentials are not waited for any longer: a plugin that hangs is ended, for another may not. */
const PATIENCE = 60_000

/** What the library fills in. */
type RequestOptions = Parameters<KubeConfig['applyToHTTPSOptions']>[0]

class KubeconfigCredentials implements Credentials {
  readonly #options: KubeconfigOptions
  #config: KubeConfig
  #access: Access | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #renewedAt = Number.NEGATIVE_INFINITY
  #tlsHash = ''
  #reading: Promise<Access> | undefined
  readonly #plugin = new PluginProcess()
  readonly #closed = new AbortController()

  constructor(config: KubeConfig, options: KubeconfigOptions) {
    this.#config = config
    this.#options = options
    this.#plugin.follow(config)
  }

  current(): Access | Promise<Access> {
    const access = this.#access
    if (access && this.#options.clock.monotonic() - this.#readAt < LIFETIME) return access
    return this.#readOrKeep(access)
  }

  async renew(refused: Access): Promise<boolean> {
    if (this.#access !== refused) return true
    const now = this.#options.clock.monotonic()
    if (!this.#reading && now - this.#renewedAt < RENEWAL_INTERVAL) return false
    this.#renewedAt = now
    const access = await this.#read({ reload: true })
    return access.headers.authorization !== refused.headers.authorization || access.tls !== refused.tls
  }

  close(): void {
    this.#closed.abort(unavailable('the connection is closed'))
  }

  async #readOrKeep(access: Access | undefined): Promise<Access> {
    try {
      return await this.#read({ reload: access !== undefined && !hasPlugin(this.#config) })
    } catch (error) {
      if (!access) throw error
      this.#readAt = this.#options.clock.monotonic()
      this.#options.logger.warn('cannot renew credentials: the former ones stay in use', { error: explain(error) })
      return access
    }
  }

  /** Calls that come during a read share its result, so that one plugin process runs, and not one for each request. */
  #read({ reload }: { reload: boolean }): Promise<Access> {
    this.#reading ??= this.#readInTime(reload).finally(() => {
      this.#plugin.end()
      this.#reading = undefined
    })
    return this.#reading
  }

  #readInTime(reload: boolean): Promise<Access> {
    const { clock } = this.#options
    const cause = `none came within ${PATIENCE / 1000} s (see what the exec plugin of the kubeconfig waits for)`
    const tooLate = (): ApiError => unavailable(cause)
    const end = clock.monotonic() + PATIENCE
    return inTime(this.#readNow(reload), { clock, end, signal: this.#closed.signal, tooLate })
  }

  async #readNow(reload: boolean): Promise<Access> {
    try {
      if (reload) {
        this.#config = load(this.#options).config
        this.#plugin.follow(this.#config)
      }
      const options: RequestOptions = {}
      await this.#config.applyToHTTPSOptions(options)
      this.#access = { headers: toHeaders(options), tls: this.#toTls(options) }
      this.#readAt = this.#options.clock.monotonic()
      return this.#access
    } catch (error) {
      if (error instanceof CodedError) throw error
      throw unavailable(explain(error).trim(), error)
    }
  }

  #toTls({ ca, cert, key, passphrase, rejectUnauthorized, servername }: RequestOptions): TlsMaterial {
    const tls = { ca, cert, key, passphrase, rejectUnauthorized, servername } as TlsMaterial
    const hash = sha256(JSON.stringify(Object.values(tls).map(String)))
    if (this.#access && hash === this.#tlsHash) return this.#access.tls
    this.#tlsHash = hash
    return tls
  }
}

function load({ kubeconfig, context }: KubeconfigOptions): { config: KubeConfig; cluster: Cluster } {
  const config = new TokenFileConfig()
  try {
    if (kubeconfig === undefined) config.loadFromDefault()
    else config.loadFromFile(kubeconfig)
  } catch (error) {
    throw unusable(explain(error))
  }
  if (context !== undefined) {
    if (!config.getContextObject(context)) throw unusable(`it has no context "${context}"`)
    config.setCurrentContext(context)
  }
  const cluster = config.getCurrentCluster()
  if (!cluster) throw unusable('its current context names no cluster')
  describePlugin(config, cluster)
  return { config, cluster }
}

function serverUrl({ server }: Cluster): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url?.protocol === 'https:') return url
  if (server === 'http://localhost:8080') throw unusable('none was found: no KUBECONFIG, no ~/.kube/config, no pod')
  throw unusable(`its server "${server}" is not an https URL`)
}

/** An exec plugin caches what it got until that expires; a new `KubeConfig` would start it again each time. */
function hasPlugin(config: KubeConfig): boolean {
  const user = config.getCurrentUser()
  return user?.exec !== undefined || (user?.authProvider !== undefined && !user.authProvider.config?.tokenFile)
}

/** Exec plugins read what they are asked for from an environment variable, which the library leaves unset. */
function describePlugin(config: KubeConfig, cluster: Cluster): void {
  const exec = config.getCurrentUser()?.exec
  if (!exec) return
  const { server, tlsServerName, skipTLSVerify, proxyUrl } = cluster
  const spec = {
    interactive: false,
    ...(exec.provideClusterInfo && {
      cluster: {
        server,
        'certificate-authority-data': authorityOf(cluster),
        'tls-server-name': tlsServerName,
        'insecure-skip-tls-verify': skipTLSVerify,
        'proxy-url': proxyUrl,
      },
    }),
  }
  const value = JSON.stringify({ kind: 'ExecCredential', apiVersion: exec.apiVersion, spec })
  exec.env = [...(exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value }]
}

/** In base 64, also when the kubeconfig names a file. */
function authorityOf({ caFile, caData }: Cluster): string | undefined {
  try {
    return bufferFromFileOrString(caFile, caData)?.toString('base64')
  } catch (error) {
    throw unusable(explain(error))
  }
}

function toHeaders({ headers, auth }: RequestOptions): { [name: string]: string } {
  const found: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(headers ?? {})) found[name.toLowerCase()] = String(value).trim()
  if (typeof auth === 'string') found.authorization = `Basic ${Buffer.from(auth).toString('base64')}`
  return found
}

function unavailable(why: string, cause?: unknown): ApiError {
  return new ApiError(401, 'Unauthorized', `cannot get credentials: ${why}`, { cause })
}

function unusable(cause: string): CodedError {
  return new CodedError('InvalidKubeconfig', `cannot use the kubeconfig: ${cause}`)
}
