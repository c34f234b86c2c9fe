import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CRD_GVK, type CustomResourceDefinition } from '../crd/custom-resource-definition.ts'
import { isLocal } from '../kinds/api-service.ts'
import { itemsAt, objectAt } from '../kinds/common/fields.ts'
import { DeferredWork } from '../lifecycle/deferred-work.ts'
import type { ObjectEvent } from '../object-api.ts'
import { putStartObjects } from '../write/put-start-objects.ts'
import { type ServerState, timestampOf } from '../write/write-request.ts'
import { ENDPOINT_SLICE, SERVICE, serviceOfSlice, unavailability } from './availability.ts'
import recorded from './local-api-services.generated.json' with { type: 'json' }

export const API_SERVICE = { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' }
const MANAGER = 'kube-apiserver'
const RECORDED = recorded as readonly unknown[] as readonly KubeObject[]
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged'

/** Registers the groups of the server and of its CRDs as APIServices, and says of all others that they cannot be reached. */
export class ApiServiceController {
  readonly #state: ServerState
  readonly #work: DeferredWork<string>
  readonly #onError: (error: unknown) => void

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#onError = onError
    this.#work = new DeferredWork((name) => this.#judge(name), onError)
  }

  start(): () => void {
    const { objects } = this.#state
    putStartObjects(this.#state, RECORDED)
    const stops = [
      objects.subscribe(CRD_GVK, (event) => this.#registerVersions(event)),
      objects.subscribe(API_SERVICE, (event) => this.#follow(event)),
      objects.subscribe(SERVICE, ({ object }) => this.#judgeThoseBehind(keyOf(object))),
      objects.subscribe(ENDPOINT_SLICE, ({ object }) => {
        this.#judgeThoseBehind({ namespace: keyOf(object).namespace, name: serviceOfSlice(object) })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
      this.#work.stop()
    }
  }

  /** Discovery shows a group as soon as its CRD is there, hence at once. */
  #registerVersions({ object, old }: ObjectEvent): void {
    const names = [object, old].flatMap((crd) => (crd ? versionsOf(crd as CustomResourceDefinition) : []))
    try {
      for (const name of new Set(names)) this.#synchronise(name)
    } catch (error) {
      this.#onError(error)
    }
  }

  #follow({ type, object }: ObjectEvent): void {
    const { name } = keyOf(object)
    const isOfCrd = object.metadata.labels?.[AUTOMANAGED] === 'true'
    if (type === 'DELETED' ? isOfCrd : !isLocal(object)) this.#work.add(name)
  }

  #judgeThoseBehind({ namespace, name }: { readonly namespace: string; readonly name: string }): void {
    for (const each of this.#state.objects.list(API_SERVICE)) {
      const reference = objectAt(objectAt(each, 'spec'), 'service')
      if (reference.namespace === namespace && reference.name === name) this.#work.add(keyOf(each).name)
    }
  }

  /** The APIService of a version of a CRD is there while the version is served. */
  #synchronise(name: string): void {
    const key = { namespace: '', name }
    const found = this.#state.objects.get(API_SERVICE, key)
    if (found && found.metadata.labels?.[AUTOMANAGED] !== 'true') return
    const crds = this.#state.objects.list(CRD_GVK) as readonly CustomResourceDefinition[]
    const isServed = crds.some((crd) => servedVersionsOf(crd).includes(name))
    if (isServed && !found) this.#state.objects.create(apiServiceOf(name), MANAGER)
    if (!isServed && found) this.#state.objects.delete(API_SERVICE, key)
  }

  #judge(name: string): void {
    const found = this.#state.objects.get(API_SERVICE, { namespace: '', name })
    if (!found) this.#synchronise(name)
    if (!found || isLocal(found)) return
    const wanted = { type: 'Available', status: 'False', ...unavailability(found, this.#state.objects) }
    const conditions = itemsAt(objectAt(found, 'status'), 'conditions')
    const old = conditions.find(({ type }) => type === wanted.type)
    if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) return
    const since = old?.status === wanted.status ? old.lastTransitionTime : timestampOf(this.#state.clock.now())
    const condition = { ...wanted, lastTransitionTime: since ?? null }
    const others = conditions.filter(({ type }) => type !== wanted.type)
    this.#state.objects.update({ ...found, status: { conditions: [...others, condition] } }, MANAGER, 'status')
  }
}

function versionsOf({ spec }: CustomResourceDefinition): readonly string[] {
  return spec.versions.map((version) => `${version.name}.${spec.group}`)
}

function servedVersionsOf({ spec }: CustomResourceDefinition): readonly string[] {
  return spec.versions.filter(({ served }) => served).map((version) => `${version.name}.${spec.group}`)
}

/** As the real server ranks those of CRDs. */
function apiServiceOf(name: string): KubeObject {
  const [version = '', ...group] = name.split('.')
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [AUTOMANAGED]: 'true' } },
    spec: { group: group.join('.'), version, groupPriorityMinimum: 1000, versionPriority: 100 },
  }
}
