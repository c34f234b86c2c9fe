import type { KubeClient } from '../../src/core/kube/client.ts'
import type { ReloadResult } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import type { FaultGate } from './fault-gate.ts'
import type { Witness } from './witness.ts'

/** Where a life is lived: a cluster, an operator that comes and goes, and a person. */
export interface Stage {
  /** Of the resource, and of what says no other. */
  readonly namespace: string
  readonly gate: FaultGate
  readonly witness: Witness
  /** What must never happen, such as a controller that ends. */
  readonly problems: string[]
  /** A client of a person, not of the engine. */
  readonly person: KubeClient
  startOperator(project: Project): Promise<void>
  /** Asks the operator to end, and waits until it has. */
  stopOperator(): Promise<void>
  /** `undefined`: there is no operator at the moment; the next one starts with the project. */
  reload(project: Project): ReloadResult | undefined
  /** The cluster as it is now is what a stale answer shows during the next step. */
  markStep(): void
  /** Lets everything happen that follows from what has happened. */
  untilQuiet(): Promise<void>
  /** Lets time pass, until `holds` or so many milliseconds have gone by. */
  advance(milliseconds: number, holds?: () => boolean): Promise<void>
  close(): Promise<void>
}
