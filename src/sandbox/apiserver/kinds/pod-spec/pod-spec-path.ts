import type { JsonPath } from '../../../../core/base/json.ts'

const SPECS: Readonly<Record<string, JsonPath>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ...Object.fromEntries(
    ['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet'].map((kind) => [
      kind,
      ['spec', 'template', 'spec'],
    ]),
  ),
}

/** Where a kind has the spec of a pod, if it has one. */
export function podSpecPathOf(kind: string): JsonPath | undefined {
  return SPECS[kind]
}
