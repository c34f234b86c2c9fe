import { cronJobController } from './cron-job.ts'
import { daemonSetController } from './daemon-set.ts'
import { deploymentController } from './deployment.ts'
import { disruptionBudgetController } from './disruption-budgets.ts'
import { endpointSliceController } from './endpoint-slices.ts'
import { endpointsController } from './endpoints.ts'
import { autoscalerController } from './horizontal-pod-autoscaler.ts'
import { jobController } from './job.ts'
import { loadBalancerController } from './load-balancers.ts'
import { nodes } from './nodes.ts'
import { podKubelet } from './pod-kubelet.ts'
import { podScheduler } from './pod-scheduler.ts'
import { replicaSetController, replicationController } from './replica-set.ts'
import { silentNodes } from './silent-nodes.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import { statefulSetController } from './stateful-set.ts'
import { volumeClaimController } from './volume-claims.ts'
import { volumeController } from './volumes.ts'
import type { WorkloadController } from './workload-controller.ts'

export interface WorkloadOptions {
  /** Whether there is a node with a kubelet, and a scheduler that places pods there. Defaults to true. */
  readonly nodes?: boolean | undefined
}

/** All controllers of workloads, in the order in which they start. */
export function builtinWorkloads(
  stages: Partial<Stages> = {},
  { nodes: hasNodes = true }: WorkloadOptions = {},
): readonly WorkloadController[] {
  const all = { ...DEFAULT_STAGES, ...stages }
  return [
    hasNodes ? nodes(all) : silentNodes(all),
    deploymentController(all),
    replicaSetController(all),
    replicationController(all),
    statefulSetController(all),
    daemonSetController(all),
    jobController(all),
    cronJobController(all),
    volumeClaimController(all),
    volumeController(all),
    ...(hasNodes ? [podScheduler(all), podKubelet(all)] : []),
    endpointSliceController(all),
    endpointsController(all),
    loadBalancerController(all),
    disruptionBudgetController(all),
    autoscalerController(all),
  ]
}
