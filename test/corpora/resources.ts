import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { Send } from '../sandbox/contract/exchange.ts'

export interface Resource {
  /** Without the name of an object. */
  readonly path: string
  readonly namespaced: boolean
}

interface ApiResource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

/** The resources that a server serves: where objects of a kind are. */
export class Resources {
  readonly #send: Send
  readonly #lists = new Map<string, Promise<readonly ApiResource[]>>()

  constructor(send: Send) {
    this.#send = send
  }

  /** Undefined when the kind is not served. */
  async of({ apiVersion, kind }: JsonObject, namespace: string): Promise<Resource | undefined> {
    const root = String(apiVersion).includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const list = this.#lists.get(root) ?? this.#read(root)
    this.#lists.set(root, list)
    const found = (await list).find((each) => each.kind === kind && !each.name.includes('/'))
    if (!found) return undefined
    const inside = found.namespaced ? `/namespaces/${namespace}` : ''
    return { path: `${root}${inside}/${found.name}`, namespaced: found.namespaced }
  }

  async #read(root: string): Promise<readonly ApiResource[]> {
    const { status, text } = await this.#send({ method: 'GET', path: root, headers: {}, body: undefined })
    const body: unknown = status === 200 ? JSON.parse(text) : {}
    return isJsonObject(body) ? ((body.resources ?? []) as unknown as readonly ApiResource[]) : []
  }
}
