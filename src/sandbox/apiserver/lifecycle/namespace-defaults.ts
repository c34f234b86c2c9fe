import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import type { ServerState } from '../write/write-request.ts'
import { DeferredWork } from './deferred-work.ts'

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const CA_NAME = 'kube-root-ca.crt'
const CA_DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** What every namespace has from its birth, and gets again when it is deleted: a ServiceAccount and the CA. */
export class NamespaceDefaults {
  readonly #state: ServerState
  readonly #work: DeferredWork<string>
  readonly #onError: (error: unknown) => void
  #ca = ''

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#onError = onError
    this.#work = new DeferredWork((name) => this.fill(name), onError)
  }

  start(): () => void {
    const unsubscribe = this.#state.store.subscribe(({ type, current }) => {
      if (type === 'ADDED' && current.resource === '/namespaces') this.#work.add(current.name)
      if (type === 'DELETED' && isDefault(current)) this.#work.add(current.namespace)
    })
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  /** PEM; shown to pods in every namespace. */
  publishCa(ca: string): void {
    this.#ca = ca
    for (const each of this.#state.objects.list(NAMESPACE)) this.#attempt(() => this.#publishIn(keyOf(each).name))
  }

  /** What a kept policy refuses is missing; the server starts all the same. */
  fillAtStart(namespace: string): void {
    this.#attempt(() => this.fill(namespace))
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#onError(error)
    }
  }

  #publishIn(namespace: string): void {
    const old = this.#state.objects.get(CONFIG_MAP, { namespace, name: CA_NAME })
    if (old) this.#state.objects.update({ ...old, data: { 'ca.crt': this.#ca } }, CONTROLLER_MANAGER)
    else this.fill(namespace)
  }

  fill(namespace: string): void {
    const found = this.#state.objects.get(NAMESPACE, { namespace: '', name: namespace })
    if (!found || found.metadata.deletionTimestamp !== undefined) return
    this.#create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } })
    const annotations = { 'kubernetes.io/description': CA_DESCRIPTION }
    const data = { 'ca.crt': this.#ca }
    this.#create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: CA_NAME, namespace, annotations }, data })
  }

  #create(object: KubeObject): void {
    const { objects } = this.#state
    if (!objects.get(gvkOf(object), keyOf(object))) objects.create(object, CONTROLLER_MANAGER)
  }
}

function isDefault({ resource, name }: { readonly resource: string; readonly name: string }): boolean {
  return (resource === '/serviceaccounts' && name === 'default') || (resource === '/configmaps' && name === CA_NAME)
}
