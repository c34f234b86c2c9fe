import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { ClientServer, JsonReply } from './client-server.ts'
import { settleWorkloads } from './settle-workloads.ts'

const FOLDER = new URL('../control-plane/controller-runtime/', import.meta.url)
const MERGE = 'application/merge-patch+json'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = '/apis/controller-runtime.rolebook.test/v1'

/** What is done to the resources of the controller-runtime operator, one step after the other, each settled before the next. */
export class PageScenario {
  readonly #server: ClientServer
  readonly #namespace: string

  constructor(server: ClientServer, namespace: string) {
    this.#server = server
    this.#namespace = namespace
  }

  async install(): Promise<void> {
    const crd = parse(readFileSync(new URL('crd.yaml', FOLDER), 'utf8'))
    await this.#server.send('POST', CRDS, crd)
    await this.#server.until('the CRD being served', `${GROUP}/pages`, ({ status }) => status === 200)
  }

  async create(): Promise<JsonReply> {
    await this.#post(`${GROUP}/pages`, page('home', { text: 'hello' }))
    await this.#post(`${GROUP}/pages`, page('other', { text: 'stays', replicas: 2, theme: 'dark' }))
    await this.#available('other')
    return this.#available('home')
  }

  /** @returns what is refused, for the words */
  async refuse(): Promise<JsonReply> {
    await this.#post(`${GROUP}/pages`, page('themeless', { text: '', theme: 'none' }))
    return this.#patch(`${GROUP}/pages/home`, { spec: { replicas: -1 } })
  }

  async update(): Promise<JsonReply> {
    await this.#patch(`${GROUP}/pages/home`, { spec: { text: 'hello again' } })
    return this.#available('home')
  }

  async scale(): Promise<JsonReply> {
    await this.#patch(`${GROUP}/pages/home/scale`, { spec: { replicas: 3 } })
    return this.#available('home')
  }

  async addTheme(): Promise<JsonReply> {
    const theme = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dark' }, data: { 'style.css': 'black' } }
    await this.#post('/api/v1/configmaps', theme)
    await this.#until('/api/v1/configmaps/other', ({ data }) => 'style.css' in (data as JsonObject))
    await this.#until('/apis/apps/v1/deployments/other', ({ metadata }) =>
      JSON.stringify(metadata).includes('revision":"2"'),
    )
    return this.#available('other')
  }

  async breakByHand(): Promise<JsonReply> {
    await this.#patch('/api/v1/configmaps/home', { data: { 'index.html': 'defaced', extra: 'of another manager' } })
    await this.#until('/api/v1/configmaps/home', ({ data }) => (data as JsonObject)['index.html'] === 'hello again')
    const { body: service } = await this.#get('/api/v1/services/home')
    await this.#delete('/api/v1/services/home')
    await this.#until('/api/v1/services/home', (found) => (found.spec ? uidOf(found) !== uidOf(service) : false))
    await this.#patch('/apis/apps/v1/deployments/home', { spec: { replicas: 1 } })
    await this.#until('/apis/apps/v1/deployments/home', ({ spec }) => (spec as JsonObject).replicas === 3)
    return this.#available('home')
  }

  /** The owner goes last: its finalizer is seen at work. */
  async remove(): Promise<JsonReply> {
    await this.#delete(`${GROUP}/pages/home?propagationPolicy=Foreground`)
    await this.#gone(`${GROUP}/pages/home`)
    await this.#gone('/api/v1/configmaps/registered-home')
    for (const path of ['/api/v1/configmaps/home', '/api/v1/services/home', '/apis/apps/v1/deployments/home']) {
      await this.#gone(path)
    }
    const hasNone = ({ items }: JsonObject): boolean => (items as JsonObject[]).every((item) => !isOf(item, 'home'))
    await this.#until('/apis/apps/v1/replicasets', hasNone)
    await this.#until('/apis/discovery.k8s.io/v1/endpointslices', hasNone)
    return this.#until('/api/v1/pods', hasNone)
  }

  async edit(text: string): Promise<JsonReply> {
    await this.#patch(`${GROUP}/pages/other`, { spec: { text, replicas: 1 } })
    return this.#available('other')
  }

  /** Its status is of its present spec, everything is ready, and no Pod is on its way out. */
  async #available(name: string): Promise<JsonReply> {
    await this.#untilServed(name)
    await settleWorkloads(this.#server, this.#namespace)
    // The first answer may describe an earlier moment.
    return this.#untilServed(name)
  }

  #untilServed(name: string): Promise<JsonReply> {
    return this.#until(`${GROUP}/pages/${name}`, ({ metadata, spec, status }) => {
      const {
        observedGeneration,
        readyReplicas,
        conditions = [],
      } = {
        ...(status as { observedGeneration?: number; readyReplicas?: number; conditions?: JsonObject[] }),
      }
      const isCurrent = observedGeneration === (metadata as JsonObject).generation
      return isCurrent && conditions[0]?.status === 'True' && readyReplicas === (spec as JsonObject).replicas
    })
  }

  #gone(path: string): Promise<JsonReply> {
    return this.#until(path, ({ code }) => code === 404)
  }

  #until(path: string, holds: (body: JsonObject) => boolean): Promise<JsonReply> {
    return this.#server.until(path, this.#at(path), ({ body }) => holds(body))
  }

  #get(path: string): Promise<JsonReply> {
    return this.#server.send('GET', this.#at(path))
  }

  #delete(path: string): Promise<JsonReply> {
    return this.#server.send('DELETE', this.#at(path))
  }

  #post(path: string, body: JsonObject): Promise<JsonReply> {
    return this.#server.send('POST', this.#at(path), body)
  }

  #patch(path: string, body: JsonObject): Promise<JsonReply> {
    return this.#server.send('PATCH', this.#at(path), body, MERGE)
  }

  /** `/api/v1/pods` in the namespace of the run. */
  #at(path: string): string {
    return path.replace(/\/v1\//, `/v1/namespaces/${this.#namespace}/`)
  }
}

function page(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'controller-runtime.rolebook.test/v1', kind: 'Page', metadata: { name }, spec }
}

function uidOf({ metadata }: JsonObject): unknown {
  return (metadata as JsonObject | undefined)?.uid
}

function isOf({ metadata }: JsonObject, name: string): boolean {
  return String((metadata as JsonObject).name).startsWith(`${name}-`)
}
