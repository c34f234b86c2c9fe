import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { OpenApiSource } from '../kube/openapi-source.ts'
import { parseAnswer } from './to-api-error.ts'
import type { Transport } from './transport.ts'

interface Document {
  /** Carries the hash of the content. */
  readonly url: string
  readonly content: Promise<JsonObject>
}

/**
 * OpenAPI v3 documents of a server, as they are when asked for.
 *
 * Each question reads the index, which is small; a document only when its hash there is a new one.
 */
export class DiscoveredOpenApi implements OpenApiSource {
  readonly #transport: Transport
  readonly #documents = new Map<string, Document>()
  #indexRead: Promise<unknown> = Promise.resolve()
  #nextIndex: Promise<ReadonlyMap<string, string>> | undefined

  constructor(transport: Transport) {
    this.#transport = transport
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

  /** From a request sent after this call, so that nothing older is seen; calls while one is under way share the next. */
  #urls(): Promise<ReadonlyMap<string, string>> {
    this.#nextIndex ??= this.#indexRead.then(() => {
      this.#nextIndex = undefined
      const urls = this.#get('/openapi/v3').then(toUrls)
      this.#indexRead = urls.catch(() => undefined)
      return urls
    })
    return this.#nextIndex
  }

  async #get(path: string): Promise<JsonObject> {
    return parseAnswer(await this.#transport.send({ method: 'GET', path }), `GET ${path}`)
  }
}

function toUrls(index: JsonObject): ReadonlyMap<string, string> {
  const paths = isJsonObject(index.paths) ? index.paths : {}
  const urls = new Map<string, string>()
  for (const [path, entry] of Object.entries(paths)) {
    const url = isJsonObject(entry) ? entry.serverRelativeURL : undefined
    if (typeof url === 'string' && url.startsWith('/')) urls.set(path, url)
  }
  return urls
}
