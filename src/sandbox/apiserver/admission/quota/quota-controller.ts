import { type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import { DeferredWork } from '../../lifecycle/deferred-work.ts'
import type { ServerState } from '../../write/write-request.ts'
import { QUOTA_TABLE, RESOURCE_QUOTA, usedOf } from './quotas.ts'

/** Writes into the status of quotas what is used of them. */
export class QuotaController {
  readonly #state: ServerState
  readonly #work: DeferredWork<string>

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#work = new DeferredWork((namespace) => this.#update(namespace), onError)
  }

  start(): () => void {
    const { store } = this.#state
    const unsubscribe = store.subscribe(({ current }) => {
      const { namespace } = current
      if (namespace !== '' && store.table(QUOTA_TABLE).list(namespace).length > 0) this.#work.add(namespace)
    })
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  #update(namespace: string): void {
    const { objects } = this.#state
    for (const quota of objects.list(RESOURCE_QUOTA, { namespace })) {
      const status = { hard: objectAt(objectAt(quota, 'spec'), 'hard'), used: usedOf(this.#state, quota) }
      if (jsonEquals(status as JsonValue, objectAt(quota, 'status'))) continue
      objects.update({ ...quota, status }, CONTROLLER_MANAGER, 'status')
    }
  }
}
