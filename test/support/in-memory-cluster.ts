import { conditionsOf, findCondition } from '../../src/core/kube/condition.ts'
import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { parseYamlBody } from '../../src/core/yaml/parse-body.ts'
import { printBody } from '../../src/core/yaml/print-body.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { InMemoryDispatcher } from '../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { ObjectApi } from '../../src/sandbox/apiserver/object-api.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import type { SandboxOptions } from '../../src/sandbox/cluster/sandbox-cluster.ts'

const FIELD_MANAGER = 'rolebook-sandbox'
const TOKEN = 'in-memory'

/** What most tests use of a `SandboxCluster`, but for a port: requests pass no socket, which is a quarter of the work of such a test. */
export class InMemoryCluster {
  readonly connection: Connection
  readonly objects: ObjectApi
  readonly #server: ApiServer

  static async start(options: SandboxOptions): Promise<InMemoryCluster> {
    const tools = { schemas: loadBuiltinSchemas(), parseYaml: parseYamlBody, printYaml: printBody }
    const server = new ApiServer({ ...options, ...tools, token: TOKEN })
    const dispatcher = new InMemoryDispatcher(server.open(), () => undefined)
    const access = { url: 'http://in-memory', token: TOKEN, dispatcher }
    const { clock, clientClock = clock, logger } = options
    const connection = await connect({ server: access, userAgent: FIELD_MANAGER, clock: clientClock, logger })
    return new InMemoryCluster(server, connection)
  }

  private constructor(server: ApiServer, connection: Connection) {
    this.#server = server
    this.connection = connection
    this.objects = server.objects
  }

  /** Applies CRDs and returns when their kinds are served. */
  async install(...crds: readonly KubeObject[]): Promise<void> {
    for (const crd of crds) await this.apply(crd)
    for (const crd of crds) while (!this.#isEstablished(crd)) await new Promise((resolve) => setImmediate(resolve))
    this.connection.mapper.refresh()
  }

  async apply(object: KubeObject): Promise<KubeObject> {
    return this.connection.client.apply(await this.#placed(object), { fieldManager: FIELD_MANAGER, force: true })
  }

  async remove(object: KubeObject): Promise<void> {
    const key = keyOf(await this.#placed(object))
    await this.connection.client.delete(gvkOf(object), key, { propagationPolicy: 'Background' })
  }

  async stop(): Promise<void> {
    await this.connection.close()
    await this.#server.stop()
  }

  #isEstablished(crd: KubeObject): boolean {
    const live = this.objects.get(gvkOf(crd), keyOf(crd))
    return live !== undefined && findCondition(conditionsOf(live), 'Established')?.status === 'True'
  }

  async #placed(object: KubeObject): Promise<KubeObject> {
    const { namespaced } = await this.connection.mapper.mappingFor(gvkOf(object))
    if (!namespaced || object.metadata.namespace !== undefined) return object
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } }
  }
}
