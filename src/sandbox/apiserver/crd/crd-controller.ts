import type { KubeObject } from '../../../core/kube/object.ts'
import { tableOf } from '../served-resource.ts'
import { withMeta } from '../write/object-meta.ts'
import { type ServerState, timestampOf } from '../write/write-request.ts'
import { approvalCondition } from './api-approval.ts'
import { CRD_CLEANUP_FINALIZER } from './crd-deletion.ts'
import { type CrdBasis, crdResources } from './crd-resources.ts'
import {
  CRD_GVK,
  type CrdCondition,
  type CustomResourceDefinition,
  isConditionTrue,
} from './custom-resource-definition.ts'
import { acceptNames } from './name-acceptance.ts'

const MANAGER = 'kube-apiserver'

/** Follows CRDs: accepts their names, serves their resources, and takes both away when they are deleted. */
export class CrdController {
  readonly #state: ServerState
  readonly #basis: CrdBasis
  readonly #onError: (error: unknown) => void

  constructor(state: ServerState, basis: CrdBasis, onError: (error: unknown) => void) {
    this.#onError = onError
    this.#state = state
    this.#basis = basis
  }

  start(): () => void {
    const stopCrds = this.#state.objects.subscribe(CRD_GVK, ({ type, object }) => {
      const crd = object as CustomResourceDefinition
      this.#try(() => (type === 'DELETED' ? this.#forget(crd) : this.#follow(crd)))
    })
    const stopObjects = this.#state.store.subscribe(({ type, current }) => {
      if (type === 'DELETED') this.#try(() => this.#finishDeletion(current.resource))
    })
    return () => {
      stopCrds()
      stopObjects()
    }
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#onError(error)
    }
  }

  #follow(seen: CustomResourceDefinition): void {
    const crd = this.#latest(seen)
    if (!crd || crd.metadata.resourceVersion !== seen.metadata.resourceVersion) return
    this.#serve(crd)
    if (crd.metadata.deletionTimestamp === undefined) this.#accept(crd)
    else this.#delete(crd)
  }

  #latest(crd: CustomResourceDefinition): CustomResourceDefinition | undefined {
    const { name = '' } = crd.metadata
    const key = { namespace: '', name }
    return this.#state.objects.get(CRD_GVK, key) as CustomResourceDefinition | undefined
  }

  /** One step at a time, as the real controllers do: the approval first, then names, then establishment. */
  #accept(crd: CustomResourceDefinition): void {
    const { names, condition } = acceptNames(crd, this.#all())
    const approval = approvalCondition(crd)
    if (approval && !hasCondition(crd, approval)) this.#updateStatus(crd, [approval])
    else if (!sameNames(names, crd.status.acceptedNames) || !hasCondition(crd, condition)) {
      const installing = isConditionTrue(crd, 'Established') ? [] : [establishing(condition)]
      this.#updateStatus(crd, [condition, ...installing], { acceptedNames: names })
    } else if (condition.status === 'True' && !isConditionTrue(crd, 'Established')) {
      this.#updateStatus(crd, [ESTABLISHED])
    }
  }

  #serve(crd: CustomResourceDefinition): void {
    const isServed = isConditionTrue(crd, 'Established')
    const table = tableOfCrd(crd)
    const { store, registry } = this.#state
    // A watch cannot start from a version that is older than the kind.
    if (isServed && !registry.ofTable(table)) store.table(table).history.compact(store.revision)
    registry.replace(new Set([table]), isServed ? crdResources(crd, this.#basis) : [])
  }

  #delete(crd: CustomResourceDefinition): void {
    if (!crd.metadata.finalizers?.includes(CRD_CLEANUP_FINALIZER)) return
    const table = tableOfCrd(crd)
    const resource = this.#state.registry.ofTable(table)
    const objects = this.#state.store.table(table).list()
    if (resource && objects.length > 0 && !hasCondition(crd, DELETING)) {
      this.#updateStatus(crd, [DELETING])
      for (const { namespace, name } of objects) this.#state.objects.delete(resource.gvk, { namespace, name })
      return
    }
    this.#finishDeletion(table)
  }

  #finishDeletion(table: string): void {
    if (this.#state.store.table(table).size > 0) return
    const crd = this.#all().find((each) => tableOfCrd(each) === table)
    if (crd?.metadata.deletionTimestamp === undefined) return
    const { finalizers = [] } = crd.metadata
    const others = finalizers.filter((name) => name !== CRD_CLEANUP_FINALIZER)
    this.#state.objects.update(withMeta(crd, { finalizers: others.length > 0 ? others : undefined }), MANAGER)
  }

  #forget(crd: CustomResourceDefinition): void {
    this.#state.registry.replace(new Set([tableOfCrd(crd)]), [])
    for (const other of this.#all()) if (other.spec.group === crd.spec.group) this.#follow(other)
  }

  #all(): readonly CustomResourceDefinition[] {
    return this.#state.objects.list(CRD_GVK) as readonly CustomResourceDefinition[]
  }

  #updateStatus(crd: CustomResourceDefinition, conditions: readonly CrdCondition[], change: object = {}): void {
    const now = timestampOf(this.#state.clock.now())
    const merged = conditions.reduce((all, one) => setCondition(all, one, now), crd.status.conditions ?? [])
    const updated: KubeObject = { ...crd, status: { ...crd.status, ...change, conditions: merged } }
    this.#state.objects.update(updated, MANAGER, 'status')
  }
}

const ESTABLISHED: CrdCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
}

const DELETING: CrdCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}

function establishing({ status }: CrdCondition): CrdCondition {
  if (status !== 'True') {
    return { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
  }
  return { ...ESTABLISHED, status: 'False', reason: 'Installing' }
}

function tableOfCrd({ spec }: CustomResourceDefinition): string {
  return tableOf({ group: spec.group, plural: spec.names.plural })
}

function sameNames(left: object, right: object): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
}

function sorted(names: object): object {
  return Object.fromEntries(Object.entries(names).sort())
}

function hasCondition(crd: CustomResourceDefinition, wanted: CrdCondition): boolean {
  const found = (crd.status.conditions ?? []).find(({ type }) => type === wanted.type)
  return found?.status === wanted.status && found.reason === wanted.reason && found.message === wanted.message
}

function setCondition(conditions: readonly CrdCondition[], wanted: CrdCondition, now: string): readonly CrdCondition[] {
  const old = conditions.find(({ type }) => type === wanted.type)
  const since = old?.status === wanted.status ? old.lastTransitionTime : undefined
  const updated = { lastTransitionTime: since ?? now, ...wanted }
  if (!old) return [...conditions, updated]
  return conditions.map((each) => (each.type === wanted.type ? updated : each))
}
