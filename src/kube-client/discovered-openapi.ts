import type { Clock } from '../base/clock.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { OpenApiSource } from '../kube/openapi-source.ts'
import { parseAnswer } from './to-api-error.ts'
import type { Transport } from './transport.ts'

interface Document {
  /** Carries the hash of the content. */
  readonly url: string
  readonly content: Promise<JsonObject>
}

/** OpenAPI v3 documents of a server, fetched when asked for and again when the server says that one has changed. */
export class DiscoveredOpenApi implements OpenApiSource {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #documents = new Map<string, Document>()
  #index: { readonly at: number; readonly urls: Promise<ReadonlyMap<string, string>> } | undefined

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport
    this.#clock = clock
  }

  async document({
    group,
    version,
  }: {
    readonly group: string
    readonly version: string
  }): Promise<JsonObject | undefined> {
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`
    const url = (await this.#urls()).get(path)
    if (url === undefined) return undefined
    const known = this.#documents.get(path)
    if (known?.url === url) return known.content
    const content = this.#get(url)
    this.#documents.set(path, { url, content })
    content.catch(() => this.#documents.delete(path))
    return content
  }

  #urls(): Promise<ReadonlyMap<string, string>> {
    const now = this.#clock.monotonic()
    if (this.#index && now - this.#index.at < INDEX_LIFETIME) return this.#index.urls
    const urls = this.#get('/openapi/v3').then(toUrls)
    const index = { at: now, urls }
    this.#index = index
    urls.catch(() => {
      if (this.#index === index) this.#index = undefined
    })
    return urls
  }

  async #get(path: string): Promise<JsonObject> {
    return parseAnswer(await this.#transport.send({ method: 'GET', path }), `GET ${path}`)
  }
}

/** Milliseconds for which the list of documents is believed; short, since a new CRD shows in it. */
const INDEX_LIFETIME = 5000

function toUrls(index: JsonObject): ReadonlyMap<string, string> {
  const paths = isJsonObject(index.paths) ? index.paths : {}
  const urls = new Map<string, string>()
  for (const [path, entry] of Object.entries(paths)) {
    const url = isJsonObject(entry) ? entry.serverRelativeURL : undefined
    if (typeof url === 'string' && url.startsWith('/')) urls.set(path, url)
  }
  return urls
}
