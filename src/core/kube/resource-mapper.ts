import type { GroupKind, Gvk } from './group-version-kind.ts'
import type { Capabilities } from './helm-chart.ts'

/** How a kind is served. */
export interface ResourceMapping {
  readonly gvk: Gvk
  /** Lower-case plural, as in paths: `deployments`. */
  readonly plural: string
  readonly namespaced: boolean
  /** Names of the subresources served: `status`, `scale`, … */
  readonly subresources: readonly string[]
  readonly verbs: readonly string[]
}

/** From kinds to what the server calls them. */
export interface ResourceMapper {
  /** Rejects with an `ApiError` of reason `KindNotServed` (404) when the server does not serve the kind. */
  mappingFor(gvk: Gvk): Promise<ResourceMapping>
  /** The version that the server prefers for a kind, or `undefined` when it serves none. */
  preferred(kind: GroupKind): Promise<Gvk | undefined>
  /** What the server serves as a whole. Absent or `undefined`: it is unknown. */
  served?(): Promise<Capabilities | undefined>
  /** Forgets what was learnt, so that the next question asks the server. */
  refresh(): void
}
