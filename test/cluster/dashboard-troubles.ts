import { conditionsOf, findCondition } from '../../src/core/kube/condition.ts'
import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import { ObjectClient } from '../../src/rolebook/library/object-client.ts'
import { SHOP, shop } from './dashboard-project.ts'

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' }
/** The client that fights against the operator. */
export const RIVAL = 'kubectl-edit'

/** Makes what a person has to mend, on the cluster of a connection. */
export class Troubles {
  readonly #connection: Connection
  readonly #objects: ObjectClient
  readonly #end = new AbortController()
  #fighting: Promise<void> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
    this.#objects = new ObjectClient(connection)
  }

  /** A resource as it should be. */
  async ready(name: string, finalizers: readonly string[] = []): Promise<void> {
    await this.#objects.create(shop(name, { finalizers }))
    await this.#until(name, ({ status }) => status === 'True')
  }

  /** A rollout of an image that cannot be pulled. */
  async haltedRollout(name: string): Promise<void> {
    await this.ready(name)
    await this.#patch(shop(name), { spec: { image: 'shop:2-notfound' } })
    await this.#until(name, ({ message = '' }) => message.includes('progress deadline'))
  }

  /** Another client that changes a field again each time the operator has put it back, until `end`. Resolves when the operator gives up. */
  async driftFight(name: string): Promise<void> {
    await this.ready(name)
    const settings = { ...CONFIG_MAP, metadata: { name: `${name}-settings`, namespace: 'default' } }
    this.#fighting = this.#fight(settings, this.#end.signal)
    await this.#until(name, ({ reason }) => reason === 'Conflict')
  }

  /** Ends what goes on. */
  async end(): Promise<void> {
    this.#end.abort()
    await this.#fighting
  }

  /** A deletion that a finalizer of another controller keeps from its end. */
  async stuckDeletion(name: string): Promise<void> {
    await this.ready(name, ['example.com/backup'])
    const resource = shop(name)
    await this.#connection.client.delete(gvkOf(SHOP), keyOf(resource))
    const gone = new AbortController()
    for await (const { object } of this.#objects.watch(SHOP, { ...named(resource), signal: gone.signal })) {
      if (object.metadata.finalizers?.join() === 'example.com/backup') gone.abort()
    }
  }

  async #fight(object: KubeObject, signal: AbortSignal): Promise<void> {
    for await (const { object: seen } of this.#objects.watch(CONFIG_MAP, { ...named(object), signal })) {
      const { theme } = seen.data as { readonly theme?: string }
      if (theme === 'plain') await this.#patch(object, { data: { theme: 'dark' } })
    }
  }

  #patch(object: KubeObject, body: object): Promise<unknown> {
    const patch = { type: 'merge', body: body as never } as const
    return this.#connection.client.patch(gvkOf(object), keyOf(object), patch, { fieldManager: RIVAL })
  }

  async #until(name: string, isThere: (ready: ReturnType<typeof conditionsOf>[number]) => boolean): Promise<void> {
    const seen = new AbortController()
    for await (const { object } of this.#objects.watch(SHOP, { ...named(shop(name)), signal: seen.signal })) {
      const ready = findCondition(conditionsOf(object), 'Ready')
      if (ready && isThere(ready)) seen.abort()
    }
  }
}

function named({ metadata: { name, namespace } }: KubeObject) {
  return { namespace, fieldSelector: `metadata.name=${name}` }
}
