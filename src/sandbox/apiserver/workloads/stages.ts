/** How long things take that take time in a real cluster, in milliseconds. */
export interface Stages {
  /** From the creation of a pod until it is bound to the node. */
  readonly podScheduled: number
  /** From there until its containers run, or its image turns out not to be there. */
  readonly podStarted: number
  /** From there until it is ready; pods without readiness probe are ready as soon as they run. */
  readonly podReady: number
  /** From `ErrImagePull` to `ImagePullBackOff`. */
  readonly imageBackOff: number
  /** From the deletion of a pod until it is gone. Never longer than its grace period. */
  readonly podStopped: number
  /** How long the containers of a pod that does not restart run until they succeed. */
  readonly podCompleted: number
  /** From the creation of a Service of type LoadBalancer until it has an address. */
  readonly loadBalancerReady: number
  /** From the creation of a claim until it is bound. */
  readonly claimBound: number
  /** Whether Events are written. */
  readonly events: boolean
}

export const DEFAULT_STAGES: Stages = {
  podScheduled: 0,
  podStarted: 100,
  podReady: 100,
  imageBackOff: 500,
  podStopped: 50,
  podCompleted: 500,
  loadBalancerReady: 100,
  claimBound: 50,
  events: true,
}
