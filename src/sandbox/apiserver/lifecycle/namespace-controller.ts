import type { KubeObject } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import type { StoredObject } from '../store/stored-object.ts'
import { type ServerState, timestampOf } from '../write/write-request.ts'
import { DeferredWork } from './deferred-work.ts'
import { namespaceConditions } from './namespace-conditions.ts'

const GVK = { group: '', version: 'v1', kind: 'Namespace' }
const TABLE = '/namespaces'
const FINALIZER = 'kubernetes'

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export class NamespaceController {
  readonly #state: ServerState
  readonly #work: DeferredWork<string>

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#work = new DeferredWork((name) => this.#process(name), onError)
  }

  start(): () => void {
    const unsubscribe = this.#state.store.subscribe(({ type, current }) => {
      if (current.resource === TABLE && type !== 'DELETED') this.#note(current.name)
      else if (type === 'DELETED' && current.namespace !== '') this.#note(current.namespace)
    })
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  #note(name: string): void {
    if (this.#ending(name)) this.#work.add(name)
  }

  #ending(name: string): KubeObject | undefined {
    const namespace = this.#state.objects.get(GVK, { namespace: '', name })
    const isEnding = namespace?.metadata.deletionTimestamp !== undefined && finalizersOf(namespace).includes(FINALIZER)
    return isEnding ? namespace : undefined
  }

  #process(name: string): void {
    const namespace = this.#ending(name)
    if (!namespace) return
    for (const { table, object } of this.#contents(name)) {
      if (object.object.metadata.deletionTimestamp === undefined) this.#delete(table, object)
    }
    const rest = this.#contents(name).map(({ object }) => object)
    this.#write(withConditions(namespace, rest, timestampOf(this.#state.clock.now())), 'status')
    const latest = this.#ending(name)
    if (rest.length > 0 || !latest) return
    this.#write(withoutFinalizer(latest), 'finalize')
  }

  #contents(namespace: string): readonly { readonly table: string; readonly object: StoredObject }[] {
    const { store } = this.#state
    return [...store.resources()].flatMap((table) =>
      table === TABLE
        ? []
        : store
            .table(table)
            .list(namespace)
            .map((object) => ({ table, object })),
    )
  }

  #delete(table: string, { namespace, name }: StoredObject): void {
    const resource = this.#state.registry.ofTable(table)
    if (resource) this.#state.objects.delete(resource.gvk, { namespace, name }, { propagationPolicy: 'Background' })
  }

  #write(namespace: KubeObject, subresource: string): void {
    this.#state.objects.update(namespace, CONTROLLER_MANAGER, subresource)
  }
}

function finalizersOf({ spec }: KubeObject): readonly string[] {
  return (spec as { finalizers?: readonly string[] } | undefined)?.finalizers ?? []
}

function withoutFinalizer(namespace: KubeObject): KubeObject {
  const finalizers = finalizersOf(namespace).filter((name) => name !== FINALIZER)
  return { ...namespace, spec: { finalizers } }
}

function withConditions(namespace: KubeObject, rest: readonly StoredObject[], now: string): KubeObject {
  const status = namespace.status as { conditions?: Parameters<typeof namespaceConditions>[1] }
  return { ...namespace, status: { ...status, conditions: namespaceConditions(rest, status?.conditions ?? [], now) } }
}
