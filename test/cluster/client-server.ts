import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'mocha'
import { systemClock } from '../../src/core/base/clock.ts'
import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import { BuiltinSchemas } from '../../src/core/schema/builtin-schemas.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { missingForClients } from '../control-plane/clients.ts'
import { kubeconfigText } from '../control-plane/kubeconfig.ts'
import { connectToCluster, type ServerUnderTest } from '../sandbox/contract/server-under-test.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const SCHEMAS = new URL('../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const PATIENCE_MS = 60_000
const POLL_MS = 50

export interface JsonReply {
  readonly status: number
  readonly body: JsonObject
}

/** A server that programs of others are run against: they get its kubeconfig, the suite looks at what they left. */
export class ClientServer {
  readonly kubeconfig: string
  readonly #server: ServerUnderTest
  readonly #stop: () => Promise<void>

  private constructor(kubeconfig: string, stop: () => Promise<void>) {
    this.kubeconfig = kubeconfig
    this.#server = connectToCluster(kubeconfig)
    this.#stop = stop
  }

  /** The control plane that all suites share. */
  static async real(context: Context): Promise<ClientServer> {
    requireClients(context)
    const { kubeconfig } = await sharedControlPlane(context)
    return new ClientServer(kubeconfig, () => Promise.resolve())
  }

  /** A sandbox as `rolebook sandbox --no-operator` has it, with TLS and simulated workloads, in this process. */
  static async sandbox(): Promise<ClientServer> {
    const schemas = BuiltinSchemas.decode(readFileSync(SCHEMAS))
    const server = new ApiServer({ schemas, clock: systemClock })
    const { url, token, ca } = await server.start()
    const folder = temporaryFolder()
    const path = join(folder.path, 'kubeconfig')
    writeFileSync(path, kubeconfigText({ server: url, ca, user: 'admin', credentials: { token } }), { mode: 0o600 })
    return new ClientServer(path, async () => {
      await server.stop()
      folder.remove()
    })
  }

  createNamespace(name: string): Promise<void> {
    return this.#server.createNamespace(name)
  }

  async send(method: string, path: string, body?: JsonValue, contentType = 'application/json'): Promise<JsonReply> {
    const headers = { 'user-agent': 'driver/1.0', 'content-type': contentType }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const reply = await this.#server.send({ method, path, headers, body: text })
    // A path that is not served yet is answered with a line of text.
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.status, body: isJson ? JSON.parse(reply.text) : { message: reply.text } }
  }

  /** Waits until what is there satisfies `holds`. @throws Error with the last answer when it takes too long */
  async until(what: string, path: string, holds: (reply: JsonReply) => boolean): Promise<JsonReply> {
    for (const end = performance.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
      const reply = await this.send('GET', path)
      if (holds(reply)) return reply
      if (performance.now() > end) throw new Error(`${what} did not happen: ${JSON.stringify(reply.body)}`)
    }
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.#stop()
  }
}

/** Skips the suite, and says so, where the programs cannot be built. */
function requireClients(context: Context): void {
  const missing = missingForClients()
  if (missing === undefined) return
  stderr.write(`SKIPPED: ${context.test?.parent?.fullTitle()}: its program must be built, and ${missing}\n`)
  context.skip() // without Go its program cannot be built, and without a real server it has nothing to run on
}
