import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { compileLabelSelector, type LabelSelector } from '../../../core/kube/label-selector.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { DeferredWork } from '../lifecycle/deferred-work.ts'
import type { ServedResource } from '../served-resource.ts'
import { type ApplyRequest, applyObject } from '../write/patch-object.ts'
import type { ServerState } from '../write/write-request.ts'
import { RBAC_GROUP } from './rbac.ts'

const CLUSTER_ROLE = { group: RBAC_GROUP, version: 'v1', kind: 'ClusterRole' }
const TABLE = `${RBAC_GROUP}/clusterroles`
const MAX_ROUNDS = 10
const MANAGER = 'clusterrole-aggregation-controller'

/** Gives ClusterRoles with an `aggregationRule` the rules of all that its selectors match. */
export class RoleAggregation {
  readonly #state: ServerState
  readonly #work: DeferredWork<'all'>

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#work = new DeferredWork(() => this.aggregate(), onError)
  }

  start(): () => void {
    const unsubscribe = this.#state.store.subscribe(({ current }) => {
      if (current.resource === TABLE) this.#work.add('all')
    })
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  /** Until nothing changes: an aggregated role may be part of another. */
  aggregate(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) if (!this.#aggregateOnce()) return
  }

  #aggregateOnce(): boolean {
    let changed = false
    for (const role of this.#roles()) {
      if (role.aggregationRule === undefined) continue
      const rules = collectRules(role, this.#roles())
      if (jsonEquals(rules, (role.rules ?? []) as JsonValue)) continue
      this.#apply(role, rules)
      changed = true
    }
    return changed
  }

  #roles(): readonly KubeObject[] {
    return [...this.#state.objects.list(CLUSTER_ROLE)]
  }

  #apply({ apiVersion, kind, metadata }: KubeObject, rules: readonly JsonValue[]): void {
    const resource = this.#state.registry.ofKind(CLUSTER_ROLE) as ServedResource
    const { name = '' } = metadata
    const request: ApplyRequest = {
      resource,
      name,
      namespace: '',
      subresource: '',
      manager: MANAGER,
      user: { name: `system:serviceaccount:kube-system:${MANAGER}`, groups: ['system:masters'] },
      dryRun: false,
      fieldValidation: 'Ignore',
      warn: () => undefined,
      force: true,
    }
    applyObject(this.#state, request, {
      apiVersion,
      kind,
      metadata: { name },
      ...(rules.length > 0 && { rules }),
    } as KubeObject)
  }
}

function collectRules(role: KubeObject, roles: readonly KubeObject[]): readonly JsonValue[] {
  const { clusterRoleSelectors = [] } = role.aggregationRule as { clusterRoleSelectors?: readonly LabelSelector[] }
  const found = new Map<string, JsonValue>()
  for (const selector of clusterRoleSelectors) {
    const matches = compileLabelSelector(selector)
    for (const each of roles) {
      if (each.metadata.name === role.metadata.name || !matches(each.metadata.labels)) continue
      for (const rule of (each.rules ?? []) as readonly JsonValue[]) found.set(JSON.stringify(rule), rule)
    }
  }
  return [...found.values()]
}
