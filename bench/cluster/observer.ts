import type { KubeClient } from '../../src/core/kube/client.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { controllerOf } from '../../src/core/kube/owner-reference.ts'
import { CHILDREN, isAsWanted, NAMESPACE, ownerName, type Workload, widgetGvks } from './workload.ts'

/**
 * Decides by its own watches, and by the content of the objects, when the cluster is as the resources want it. It knows
 * nothing of the contestants.
 */
export class Observer {
  readonly #client: KubeClient
  readonly #workload: Workload
  readonly #objects = new Map<string, KubeObject>()
  readonly #asWanted = new Set<string>()
  readonly #stop = new AbortController()
  readonly #listeners = new Set<(name: string, object: KubeObject | undefined) => void>()
  #revision = 0
  #converged = newEnd()

  private constructor(client: KubeClient, workload: Workload) {
    this.#client = client
    this.#workload = workload
  }

  static async start(client: KubeClient, workload: Workload): Promise<Observer> {
    const observer = new Observer(client, workload)
    await Promise.all(observer.#gvks().map((gvk) => observer.#follow(gvk)))
    return observer
  }

  /** From now on all objects are to be as this revision of the specs wants them. */
  expect(revision: number): void {
    this.#revision = revision
    this.#converged = newEnd()
    this.#asWanted.clear()
    for (const [name, object] of this.#objects) if (isAsWanted(object, revision)) this.#asWanted.add(name)
    this.#look()
  }

  /** Resolves with the moment at which the last object came to be as it should. */
  converged(): Promise<number> {
    return this.#converged.promise
  }

  /** Resolves with the milliseconds between the deletion of a ConfigMap and its return, as a watch shows both. */
  repaired(configMap: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    const name = `ConfigMap ${configMap}`
    let deletedAt: number | undefined
    const see = (seen: string, object: KubeObject | undefined): void => {
      if (seen !== name) return
      if (object === undefined) deletedAt = performance.now()
      else if (deletedAt !== undefined && isAsWanted(object, this.#revision)) {
        this.#listeners.delete(see)
        resolve(performance.now() - deletedAt)
      }
    }
    this.#listeners.add(see)
    return promise
  }

  /** What a list shows that is not as it should be. One wrong object, and the figures are worth nothing. */
  async faults(): Promise<readonly string[]> {
    const lists = await Promise.all(this.#gvks().map((gvk) => this.#client.list(gvk, { namespace: NAMESPACE })))
    const objects = lists.flatMap(({ items }) => items).filter(isMeasured)
    const uids = new Map(objects.filter(isWidget).map(({ metadata }) => [metadata.name, metadata.uid]))
    const wrong = objects.filter((object) => !isAsWanted(object, this.#revision))
    const orphans = objects.filter(
      (object) => !isWidget(object) && controllerOf(object)?.uid !== uids.get(ownerName(object.metadata.name ?? '')),
    )
    const faults = [
      ...wrong.map((one) => `${keyOf(one)} is wrong`),
      ...orphans.map((one) => `${keyOf(one)} is not owned`),
    ]
    return objects.length === this.#wanted()
      ? faults
      : [...faults, `there are ${objects.length} objects instead of ${this.#wanted()}`]
  }

  stop(): void {
    this.#stop.abort()
  }

  #gvks(): readonly Gvk[] {
    return [...widgetGvks(this.#workload), ...CHILDREN]
  }

  #wanted(): number {
    return this.#workload.resources * (this.#workload.objects + 1)
  }

  /** Resolves with its first list. */
  async #follow(gvk: Gvk): Promise<void> {
    const first = await this.#list(gvk)
    void this.#watchOn(gvk, first).catch((error) => {
      if (!this.#stop.signal.aborted) this.#converged.reject(error)
    })
  }

  /** A server ends the watch of a client that is too slow: then a list shows what has been missed. */
  async #watchOn(gvk: Gvk, resourceVersion: string): Promise<void> {
    await this.#watch(gvk, resourceVersion)
    await this.#watchOn(gvk, await this.#list(gvk))
  }

  async #list(gvk: Gvk): Promise<string> {
    const { items, resourceVersion } = await this.#client.list(gvk, { namespace: NAMESPACE })
    const there = new Set(items.map(keyOf))
    const gone = [...this.#objects.values()].filter((one) => one.kind === gvk.kind && !there.has(keyOf(one)))
    for (const object of gone) this.#forget(object)
    for (const object of items) this.#see(object)
    return resourceVersion
  }

  async #watch(gvk: Gvk, resourceVersion: string): Promise<void> {
    const { signal } = this.#stop
    for await (const event of this.#client.watch(gvk, { namespace: NAMESPACE, resourceVersion, signal })) {
      if (event.type === 'ERROR') return
      if (event.type === 'DELETED') this.#forget(event.object)
      else if (event.type !== 'BOOKMARK') this.#see(event.object)
    }
  }

  #see(object: KubeObject): void {
    if (!isMeasured(object)) return
    const name = keyOf(object)
    this.#objects.set(name, object)
    if (isAsWanted(object, this.#revision)) this.#asWanted.add(name)
    else this.#asWanted.delete(name)
    for (const listener of this.#listeners) listener(name, object)
    this.#look()
  }

  #forget(object: KubeObject): void {
    const name = keyOf(object)
    this.#objects.delete(name)
    this.#asWanted.delete(name)
    for (const listener of this.#listeners) listener(name, undefined)
  }

  #look(): void {
    if (this.#asWanted.size === this.#wanted()) this.#converged.resolve(performance.now())
  }
}

/** ConfigMaps and ServiceAccounts of the server itself, and the first widget that shows that a contestant works, do not count. */
function isMeasured({ metadata }: KubeObject): boolean {
  return metadata.name?.startsWith('w-') ?? false
}

function isWidget({ kind }: KubeObject): boolean {
  return kind.startsWith('Widget')
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`
}

/** A failure before anything waits for the end must not end the process. */
function newEnd(): PromiseWithResolvers<number> {
  const end = Promise.withResolvers<number>()
  end.promise.catch(() => undefined)
  return end
}
