import { CodedError } from '../../core/base/coded-error.ts'
import type { KubeClient, WatchEvent, WatchOptions } from '../../core/kube/client.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import { type Labels, matchesLabels, parseLabelSelector } from '../../core/kube/label-selector.ts'
import { formatKey, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'
import type { ObjectEvent } from '../../sandbox/apiserver/object-api.ts'

/** A write of the engine. */
export interface EngineWrite {
  /** `Deployment`, `Memcached/status`. */
  readonly what: string
  readonly verb: string
  /** `default/web` */
  readonly object: string
  /** Why the server refused it. */
  readonly refused?: string | undefined
}

interface OpenWatch {
  readonly gvk: Gvk
  readonly namespace: string | undefined
  selects(labels: Labels | undefined): boolean
  /** Version of the last event that was delivered, and of the last that has to be. */
  delivered: number
  due: number
}

/** Knows what the engine has under way, what it has written, and which events it has not received yet. */
export class EngineTraffic {
  /** Those that changed something and those that were refused; without Events, Leases and the ledger. */
  readonly writes: EngineWrite[] = []
  /** Grows with everything that happens. */
  activity = 0
  /** How many requests of the engine were answered, less watches. */
  answered = 0
  #requests = 0
  readonly #watches = new Set<OpenWatch>()
  readonly #spell: (text: string) => string

  /** @param spell how the name of an object is to read. Defaults to what it is. */
  constructor(spell = (text: string): string => text) {
    this.#spell = spell
  }

  /** The client of an operator, seen. Each process of the engine has one of its own. */
  through(client: KubeClient): KubeClient {
    return {
      get: (gvk, key, options) => this.#during(client.get(gvk, key, options)),
      list: (gvk, options) => this.#during(client.list(gvk, options)),
      watch: (gvk, options) => this.#watch(client, gvk, options),
      create: (object, options) =>
        this.#write(
          { verb: 'create', gvk: gvkOf(object), key: keyOf(object), ...options },
          client.create(object, options),
        ),
      apply: (object, options) =>
        this.#write(
          { verb: 'apply', gvk: gvkOf(object), key: keyOf(object), ...options },
          client.apply(object, options),
        ),
      patch: (gvk, key, patch, options) =>
        this.#write({ verb: 'patch', gvk, key, ...options }, client.patch(gvk, key, patch, options)),
      delete: (gvk, key, options) => this.#write({ verb: 'delete', gvk, key }, client.delete(gvk, key, options)),
    }
  }

  /** A mapper whose questions about all that is served count as requests of the engine: after a minute, each asks the server. */
  mapperOf(mapper: ResourceMapper): ResourceMapper {
    return {
      mappingFor: (gvk) => mapper.mappingFor(gvk),
      preferred: (kind) => mapper.preferred(kind),
      served: async () => mapper.served && this.#during(mapper.served()),
      refresh: () => mapper.refresh(),
    }
  }

  /** Whether the engine has a request under way. */
  get isBusy(): boolean {
    return this.#requests > 0
  }

  /** Whether the engine has no request under way and has received every change that it watches. */
  get isCaughtUp(): boolean {
    return this.#requests === 0 && [...this.#watches].every(({ delivered, due }) => delivered >= due)
  }

  /** Call it for each change in the store. */
  changed({ object, old }: ObjectEvent): void {
    this.activity += 1
    const { group, kind } = gvkOf(object)
    const { namespace, labels, resourceVersion } = object.metadata
    for (const watch of this.#watches) {
      if (watch.gvk.group !== group || watch.gvk.kind !== kind) continue
      if (watch.namespace !== undefined && watch.namespace !== namespace) continue
      if (watch.selects(labels) || (old && watch.selects(old.metadata.labels))) watch.due = Number(resourceVersion)
    }
  }

  async #during<T>(answer: Promise<T>): Promise<T> {
    this.#requests += 1
    this.activity += 1
    try {
      return await answer
    } finally {
      this.#requests -= 1
      this.answered += 1
      this.activity += 1
    }
  }

  async #write<T>(write: Written, answer: Promise<T>): Promise<T> {
    try {
      const result = await this.#during(answer)
      if (result !== undefined && write.dryRun !== true) this.#remember(write)
      return result
    } catch (error) {
      this.#remember(write, error instanceof CodedError ? error.code : 'NoAnswer')
      throw error
    }
  }

  #remember({ verb, gvk: { kind }, key, subresource }: Written, refused?: string): void {
    if (kind === 'Event' || kind === 'Lease' || key.name === LEDGER) return
    const what = subresource === undefined ? kind : `${kind}/${subresource}`
    this.writes.push({ what, verb, object: this.#spell(formatKey(key)), refused })
  }

  async *#watch(client: KubeClient, gvk: Gvk, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { namespace, labelSelector = '' } = options
    const selector = parseLabelSelector(labelSelector)
    const selects = (labels: Labels | undefined): boolean => matchesLabels(selector, labels)
    const watch: OpenWatch = { gvk, namespace: namespace || undefined, selects, delivered: 0, due: 0 }
    this.#watches.add(watch)
    this.activity += 1
    try {
      for await (const event of client.watch(gvk, { ...options, timeoutSeconds: LONG })) {
        if (event.type !== 'BOOKMARK') this.activity += 1
        if (event.type !== 'ERROR') watch.delivered = Number(event.object.metadata.resourceVersion)
        yield event
      }
    } finally {
      this.#watches.delete(watch)
      this.activity += 1
    }
  }
}

/** Seconds for which a watch is asked for: longer than any test, which else would renew watches and do nothing else while at rest. */
const LONG = 10_000_000

interface Written {
  readonly verb: string
  readonly gvk: Gvk
  readonly key: ObjectKey
  readonly subresource?: string | undefined
  readonly dryRun?: boolean | undefined
}

/** ConfigMap and Secret in which the engine keeps its books. */
export const LEDGER = 'rolebook-ledger'
