import type { Clock } from '../../core/base/clock.ts'
import { isJsonArray, isJsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import { parseYamlBody } from '../../core/yaml/parse-body.ts'
import { printBody } from '../../core/yaml/print-body.ts'
import { ApiServer, type ApiServerOptions } from '../apiserver/api-server.ts'
import type { ObjectApi } from '../apiserver/object-api.ts'
import { DataFolder } from './data-folder/data-folder.ts'
import { loadIdentity, saveIdentity } from './data-folder/server-identity.ts'
import type { ServerAccess } from './kubeconfig.ts'
import { loadBuiltinSchemas } from './load-builtin-schemas.ts'

/** Who writes on behalf of the person at the sandbox, as `managedFields` shows it. */
const FIELD_MANAGER = 'rolebook-sandbox'
const DEFAULT_NAMESPACE = 'default'

export interface SandboxOptions
  extends Pick<
    ApiServerOptions,
    | 'authorization'
    | 'controllers'
    | 'workloads'
    | 'serviceRange'
    | 'disabledAdmission'
    | 'tls'
    | 'onRequest'
    | 'intercept'
    | 'faults'
    | 'identities'
  > {
  readonly clock: Clock
  readonly logger: Logger
  /** Of the client that comes with the cluster: retries and deadlines. Defaults to that of the server. */
  readonly clientClock?: Clock | undefined
  /** Of the client that comes with the cluster. Defaults to `rolebook-sandbox`. */
  readonly userAgent?: string | undefined
  /** Defaults to a free one; with `data`, to the one before. */
  readonly port?: number | undefined
  /** A folder that keeps the state from one start to the next. Absent: memory only. */
  readonly data?: string | undefined
}

/** An API server in memory with a client to it, over HTTP like any other client. */
export class SandboxCluster {
  readonly access: ServerAccess
  readonly connection: Connection
  /** The same objects, without HTTP. */
  readonly objects: ObjectApi
  readonly #stopServer: () => Promise<void>

  static async start(options: SandboxOptions): Promise<SandboxCluster> {
    const { clock, clientClock = clock, logger, data, userAgent = 'rolebook-sandbox' } = options
    const server =
      data === undefined ? await startServer(options, [options.port ?? 0]) : await startOnFolder(data, options)
    const connection = await connect({ server: server.access, clock: clientClock, logger, userAgent })
    return new SandboxCluster(server, connection)
  }

  private constructor({ access, objects, stop }: StartedServer, connection: Connection) {
    this.access = access
    this.connection = connection
    this.objects = objects
    this.#stopServer = stop
  }

  /** Applies CRDs and returns when their kinds are served. */
  async install(...crds: readonly KubeObject[]): Promise<void> {
    const { client, mapper } = this.connection
    const applied: KubeObject[] = []
    for (const crd of crds) applied.push(await client.apply(crd, { fieldManager: FIELD_MANAGER, force: true }))
    await this.#untilEstablished(applied.filter((crd) => !isEstablished(crd)))
    mapper.refresh()
  }

  /** Applies an object as its file says; one without namespace lands in `default`. */
  async apply(object: KubeObject): Promise<KubeObject> {
    return this.connection.client.apply(await this.#placed(object), { fieldManager: FIELD_MANAGER, force: true })
  }

  async remove(object: KubeObject): Promise<void> {
    const key = keyOf(await this.#placed(object))
    await this.connection.client.delete(gvkOf(object), key, { propagationPolicy: 'Background' })
  }

  async stop(): Promise<void> {
    await this.connection.close()
    await this.#stopServer()
  }

  async #placed(object: KubeObject): Promise<KubeObject> {
    const { namespaced } = await this.connection.mapper.mappingFor(gvkOf(object))
    if (!namespaced || object.metadata.namespace !== undefined) return object
    return { ...object, metadata: { ...object.metadata, namespace: DEFAULT_NAMESPACE } }
  }

  /** In the order in which they were applied: one watch, from the first on, shows them all. */
  async #untilEstablished(crds: readonly KubeObject[]): Promise<void> {
    const [first] = crds
    if (!first) return
    const waiting = new Set(crds.map((crd) => crd.metadata.name))
    const { resourceVersion } = first.metadata
    for await (const event of this.connection.client.watch(gvkOf(first), { resourceVersion })) {
      if (event.type !== 'ERROR' && isEstablished(event.object)) waiting.delete(event.object.metadata.name)
      if (waiting.size === 0) return
    }
    const names = [...waiting].join(', ')
    throw new Error(`the watch of CustomResourceDefinition ${names} ended before it was established`)
  }
}

interface StartedServer {
  readonly access: ServerAccess
  readonly objects: ObjectApi
  stop(): Promise<void>
}

type ServerOptions = SandboxOptions & Pick<ApiServerOptions, 'journal' | 'token' | 'certificate'>

/** Listens on the first of `ports` that is free. */
async function startServer(options: ServerOptions, ports: readonly number[]): Promise<StartedServer> {
  const server = new ApiServer({
    ...options,
    parseYaml: parseYamlBody,
    printYaml: printBody,
    schemas: loadBuiltinSchemas(),
  })
  try {
    return { access: await listen(server, ports), objects: server.objects, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function listen(server: ApiServer, [port = 0, ...others]: readonly number[]): Promise<ServerAccess> {
  try {
    return await server.start(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || others.length === 0) throw error
    return listen(server, others)
  }
}

/** @throws Error when another process has the folder, DamagedDataError when it is not as it was written */
async function startOnFolder(path: string, options: SandboxOptions): Promise<StartedServer> {
  const folder = new DataFolder(path, options)
  try {
    const { port, ...identity } = await loadIdentity(path, options.clock)
    const ports = options.port ? [options.port] : [port, 0]
    const { access, objects, stop } = await startServer({ ...options, ...identity, journal: folder }, ports)
    saveIdentity(path, { ...identity, port: Number(new URL(access.url).port) })
    return { access, objects, stop: () => stop().then(() => folder.close()) }
  } catch (error) {
    await folder.close()
    throw error
  }
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = isJsonObject(crd.status) ? crd.status.conditions : undefined
  if (!isJsonArray(conditions)) return false
  return conditions.some((one) => isJsonObject(one) && one.type === 'Established' && one.status === 'True')
}
