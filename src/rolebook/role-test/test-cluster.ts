import type { Writer } from '../../core/kube/client.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { AllSecrets } from '../../engine/role/secrecy/run-secrecy.ts'
import type { FaultRule } from '../../sandbox/apiserver/faults/fault-plan.ts'
import type { EngineWrite } from './engine-traffic.ts'
import type { RecordedLog } from './recorded-log.ts'
import type { Ending } from './test-case.ts'
import type { Failure } from './test-result.ts'

export interface ClusterOptions {
  readonly project: Project
  readonly schemas: BuiltinSchemas
  /** Whether controllers of workloads are simulated. */
  readonly workloads: boolean
  /** Absent: charts cannot be rendered. */
  readonly charts?: ChartRenderer | undefined
}

/** What stands in the cluster of a test, in the words of its author. */
export interface ClusterObjects {
  get(gvk: Gvk, key: ObjectKey): KubeObject | undefined
  /** `namespace` empty or absent: all that there are. */
  list(gvk: Gvk, options?: { readonly namespace?: string | undefined }): readonly KubeObject[]
}

/** The cluster of one test with its operator: what steps do to it, and what their checks see of it. */
export interface TestCluster {
  readonly project: Project
  readonly server: { readonly objects: ClusterObjects }
  readonly traffic: { readonly writes: EngineWrite[] }
  /** Acts as another client than the operator. */
  readonly person: { readonly client: Writer }
  /** The values that runs must hide. */
  readonly secrets: Pick<AllSecrets, 'texts' | 'roleNames'>
  /** Every value that a Secret has held, in base64. */
  readonly secretValues: ReadonlySet<string>
  /** What the operator logs. */
  readonly log: RecordedLog
  /** Whether a test goes the same way each time, down to the number of statuses that are written. */
  readonly isSteady: boolean
  /** By object: the name of the task that has written it last. */
  readonly writers: ReadonlyMap<string, string>

  /** Installs a CRD and returns when its kind is served. */
  install(crd: KubeObject): Promise<void>
  startOperator(): Promise<void>
  /** Another operator takes the place of the present one. */
  restartOperator(how: Ending): Promise<void>
  /** From now on requests of the engine go wrong so. */
  replaceFaults(rules: readonly FaultRule[]): void
  /** Lets time pass. */
  advance(milliseconds: number): Promise<void>
  /** Lets so little time pass that work may be left: at 0, what is under way stays so. */
  pass(milliseconds: number): Promise<void>
  /** Lets everything happen that follows from what has happened, and checks what has come of it. */
  settle<Checked extends FoundFailures>(check: () => Checked): Promise<Settled<Checked>>
  stop(): Promise<void>
}

export interface FoundFailures {
  readonly failures: readonly Failure[]
}

export interface Settled<Checked> {
  readonly checked: Checked
  /** What goes on and on. Absent: nothing does. */
  readonly unrest?: string | undefined
}
