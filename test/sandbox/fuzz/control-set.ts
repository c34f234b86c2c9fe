import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import { customResourceDefinition } from '../apiserver/sandbox.ts'
import { NAMESPACES } from './fuzz-request.ts'
import type { WireClient } from './wire-client.ts'

const NAMESPACE = 'control'

/** What may refuse all that is written from then on. */
const REFUSING = [
  ...['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
  ...['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'],
].map((plural) => `/apis/admissionregistration.k8s.io/v1/${plural}`)

const OBJECTS: readonly (readonly [path: string, object: JsonObject])[] = [
  ['/api/v1/namespaces', { metadata: { name: NAMESPACE } }],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    customResourceDefinition('controls', 'Control') as unknown as JsonObject,
  ],
  [`/api/v1/namespaces/${NAMESPACE}/configmaps`, { metadata: { name: 'a' }, data: { text: 'kept' } }],
  [`/api/v1/namespaces/${NAMESPACE}/secrets`, { metadata: { name: 'a' }, stringData: { text: 'kept' } }],
  [
    `/api/v1/namespaces/${NAMESPACE}/services`,
    { metadata: { name: 'a' }, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
  ],
  [
    `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
    {
      metadata: { name: 'a' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  ],
  [
    `/apis/example.com/v1/namespaces/${NAMESPACE}/controls`,
    { apiVersion: 'example.com/v1', kind: 'Control', metadata: { name: 'a' }, spec: { text: 'kept' } },
  ],
]

/** Objects that no request is about. */
export class ControlSet {
  readonly #client: WireClient

  constructor(client: WireClient) {
    this.#client = client
  }

  async create(): Promise<void> {
    for (const [path, object] of OBJECTS) await this.#send('POST', path, object)
  }

  /**
   * The namespaces that requests are about, in case that one was deleted, without what an earlier request may have set up
   * in them to refuse most of what comes after it.
   */
  async resetNamespaces(): Promise<void> {
    for (const path of REFUSING) await this.#send('DELETE', path)
    for (const name of NAMESPACES) {
      for (const plural of ['resourcequotas', 'limitranges'])
        await this.#send('DELETE', `/api/v1/namespaces/${name}/${plural}`)
    }
    for (const name of NAMESPACES) {
      const body = Buffer.from(JSON.stringify({ metadata: { name } }))
      const headers = [['Content-Type', 'application/json']] as const
      await this.#client.send({ topic: 'control', method: 'POST', path: '/api/v1/namespaces', headers, body })
    }
  }

  /** Everything in the namespace of the set, by path: what was made for its objects is part of it. */
  async read(): Promise<JsonObject> {
    const paths = [...new Set(OBJECTS.slice(2).map(([path]) => path)), `/api/v1/namespaces/${NAMESPACE}/pods`]
    const found: Record<string, JsonValue> = {}
    for (const path of [`/api/v1/namespaces/${NAMESPACE}`, ...paths]) found[path] = await this.#list(path)
    return found
  }

  /** Until what controllers make of the set is there. */
  async untilQuiet(): Promise<JsonObject> {
    for (let known = await this.read(); ; ) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      const next = await this.read()
      if (JSON.stringify(next) === JSON.stringify(known)) return next
      known = next
    }
  }

  async #list(path: string): Promise<JsonValue> {
    const found = await this.#send('GET', path)
    return found.items ?? found
  }

  async #send(method: string, path: string, object?: JsonObject): Promise<JsonObject> {
    const body = object && Buffer.from(JSON.stringify(object))
    const headers = [['Content-Type', 'application/json']] as const
    const answer = await this.#client.send({ topic: 'control', method, path, headers, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return JSON.parse(answer.body)
  }
}
