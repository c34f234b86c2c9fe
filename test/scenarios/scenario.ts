import type { ClusterDriver } from './cluster-driver.ts'

/** One behaviour of a shipped operator, as a person would see it. Runs in a namespace of its own. */
export interface Scenario {
  readonly name: string
  run(cluster: ClusterDriver): Promise<void>
}
