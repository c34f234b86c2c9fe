import type { KubeClient } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { CONFIG_MAP, NAMESPACE } from '../cluster/workload.ts'

type Data = Readonly<Record<string, string>>

/** The data of all ConfigMaps, as a watch shows them. */
export class ConfigMaps {
  readonly #data = new Map<string, Data>()
  readonly #waiting = new Map<string, () => void>()
  readonly #stop = new AbortController()
  readonly #broken = Promise.withResolvers<never>()

  static async follow(client: KubeClient): Promise<ConfigMaps> {
    const maps = new ConfigMaps()
    const { items, resourceVersion } = await client.list(CONFIG_MAP, { namespace: NAMESPACE })
    for (const item of items) maps.#see(item)
    void maps.#watch(client, resourceVersion).catch(maps.#broken.reject)
    return maps
  }

  /** Resolves once a watch has shown it so. @throws Error when the watch ends */
  async until(name: string, isWanted: (data: Data) => boolean): Promise<void> {
    const seen = Promise.withResolvers<void>()
    const look = (): void => {
      const data = this.#data.get(name)
      if (data && isWanted(data)) seen.resolve()
    }
    this.#waiting.set(name, look)
    look()
    await Promise.race([seen.promise, this.#broken.promise]).finally(() => this.#waiting.delete(name))
  }

  stop(): void {
    this.#broken.promise.catch(() => undefined)
    this.#stop.abort()
  }

  async #watch(client: KubeClient, resourceVersion: string): Promise<void> {
    const { signal } = this.#stop
    for await (const event of client.watch(CONFIG_MAP, { namespace: NAMESPACE, resourceVersion, signal })) {
      if (event.type === 'ERROR') break
      if (event.type === 'ADDED' || event.type === 'MODIFIED') this.#see(event.object)
    }
    throw new Error('cannot follow the ConfigMaps: the watch has ended')
  }

  #see({ metadata: { name = '' }, data = {} }: KubeObject): void {
    this.#data.set(name, data as Data)
    this.#waiting.get(name)?.()
  }
}
