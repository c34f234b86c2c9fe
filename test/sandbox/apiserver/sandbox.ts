import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { type Clock, systemClock } from '../../../src/core/base/clock.ts'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../src/core/schema/builtin-schemas.ts'
import { ApiServer, type ApiServerOptions } from '../../../src/sandbox/apiserver/api-server.ts'

const BIN = new URL('../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
let decoded: BuiltinSchemas | undefined

export function builtinSchemas(): BuiltinSchemas {
  decoded ??= BuiltinSchemas.decode(readFileSync(BIN))
  return decoded
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  readonly body: JsonObject
}

/** A server of its own for one suite, over HTTP and in process. */
export class Sandbox {
  readonly server: ApiServer
  readonly #agent = new Agent()
  #url = ''
  #token = ''

  constructor(options: Partial<ApiServerOptions> & { clock?: Clock } = {}) {
    this.server = new ApiServer({
      schemas: builtinSchemas(),
      clock: systemClock,
      tls: false,
      workloads: false,
      ...options,
    })
  }

  get objects(): ApiServer['objects'] {
    return this.server.objects
  }

  get url(): string {
    return this.#url
  }

  get token(): string {
    return this.#token
  }

  async start(): Promise<void> {
    const { url, token } = await this.server.start()
    this.#url = url
    this.#token = token
  }

  async stop(): Promise<void> {
    await this.server.stop()
    await this.#agent.close()
  }

  async send(
    method: string,
    path: string,
    more: { readonly body?: JsonValue | Buffer | string; readonly headers?: Record<string, string> } = {},
  ): Promise<HttpAnswer> {
    const { body, headers } = more
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined
    const reply = await request(`${this.#url}${path}`, {
      method: method as 'GET',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      body: isRaw ? (body ?? null) : JSON.stringify(body),
      dispatcher: this.#agent,
    })
    const text = await reply.body.text()
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.statusCode, headers: reply.headers, text, body: isJson ? parse(text) : {} }
  }
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }

export function configMap(name: string, more: JsonObject = {}): KubeObject {
  const { metadata, ...rest } = more
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...(metadata as JsonObject) },
    ...rest,
  } as KubeObject
}

/** A CRD whose kind has the schema that is given, or one that takes everything. */
export function customResourceDefinition(plural: string, kind: string, more: JsonObject = {}): KubeObject {
  const group = 'example.com'
  const { versions, names, ...spec } = more
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, ...(names as JsonObject) },
      versions: versions ?? [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: ANYTHING } }],
      ...spec,
    },
  }
}

export const ANYTHING: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Lets what controllers do after a write happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
}
