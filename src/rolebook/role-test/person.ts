import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import { faultRule } from './fault-rule.ts'
import type { KindNames } from './kind-names.ts'
import type { Action, Target } from './test-case.ts'
import type { TestCluster } from './test-cluster.ts'

const FIELD_MANAGER = 'rolebook-test'

/** Does what a test says, over HTTP, as another client than the engine. */
export class Person {
  readonly #cluster: TestCluster
  readonly #kinds: KindNames

  constructor(cluster: TestCluster, kinds: KindNames) {
    this.#cluster = cluster
    this.#kinds = kinds
  }

  /** @throws ApiError */
  async act(action: Action): Promise<void> {
    switch (action.verb) {
      case 'patch':
        return this.#patch(action.target, action.body)
      case 'create':
        for (const object of action.objects) await this.create(object)
        return
      case 'delete':
        for (const target of action.targets) await this.#delete(target)
        return
      case 'advance':
        return this.#cluster.advance(action.milliseconds)
      case 'restart':
        return this.#cluster.restartOperator(action.how)
      case 'fail':
        return this.#cluster.replaceFaults(action.faults.map((fault) => faultRule(fault, this.#kinds)))
    }
  }

  /** A status that the object has is set, too, as its controller would do. */
  async create(object: KubeObject): Promise<void> {
    const { client } = this.#cluster.person
    const gvk = gvkOf(object)
    const key = targetKey({ gvk, name: object.metadata.name ?? '', namespace: object.metadata.namespace }, this.#kinds)
    const metadata = { ...object.metadata, ...(key.namespace !== '' && { namespace: key.namespace }) }
    await client.create({ ...object, metadata }, { fieldManager: FIELD_MANAGER })
    if (isJsonObject(object.status)) await this.#patchStatus(gvk, key, object.status)
  }

  async #patch(target: Target, { status, ...body }: JsonObject): Promise<void> {
    const { client } = this.#cluster.person
    const key = targetKey(target, this.#kinds)
    if (Object.keys(body).length > 0) {
      await client.patch(target.gvk, key, { type: 'merge', body }, { fieldManager: FIELD_MANAGER })
    }
    if (status !== undefined) await this.#patchStatus(target.gvk, key, status)
  }

  async #patchStatus(gvk: Gvk, key: ObjectKey, status: JsonValue): Promise<void> {
    const options = { fieldManager: FIELD_MANAGER, subresource: 'status' } as const
    await this.#cluster.person.client.patch(gvk, key, { type: 'merge', body: { status } }, options)
  }

  async #delete(target: Target): Promise<void> {
    const key = targetKey(target, this.#kinds)
    const gone = await this.#cluster.person.client.delete(target.gvk, key, { propagationPolicy: 'Background' })
    if (gone === undefined) throw new Error(`there is no ${target.gvk.kind} ${target.name}`)
  }
}

/** Where an object stands that a test names. */
export function targetKey(target: Pick<Target, 'gvk' | 'name' | 'namespace'>, kinds: KindNames): ObjectKey {
  const isNamespaced = kinds.of(target.gvk)?.namespaced !== false
  return { namespace: isNamespaced ? (target.namespace ?? 'default') : '', name: target.name }
}
