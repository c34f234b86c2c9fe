import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

const WORKLOADS = ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet']

/** Versions that servers have no more, and those in which the same object is served now. */
const NEWER: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/^(apps\/v1beta[12]|extensions\/v1beta1)$/, WORKLOADS, 'apps/v1'],
  [/^batch\/v1beta1$/, ['CronJob'], 'batch/v1'],
  [/^policy\/v1beta1$/, ['PodDisruptionBudget'], 'policy/v1'],
  [/^autoscaling\/v2beta2$/, ['HorizontalPodAutoscaler'], 'autoscaling/v2'],
  [
    /^rbac\.authorization\.k8s\.io\/v1(alpha|beta)1$/,
    ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
    'rbac.authorization.k8s.io/v1',
  ],
]

/** The same object in a version that servers have, where its fields are the same in both. */
export function inServedVersion(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object
  const found = NEWER.find(([pattern, kinds]) => pattern.test(apiVersion) && kinds.includes(kind))
  if (!found) return object
  const [, , newer] = found
  return { ...object, apiVersion: newer, ...(newer === 'apps/v1' && { spec: withSelector(object.spec) }) } as KubeObject
}

/** Former versions took the labels of the pods for it. */
function withSelector(spec: unknown): JsonObject {
  if (!isJsonObject(spec)) return {}
  const { template } = spec
  const metadata = isJsonObject(template) && isJsonObject(template.metadata) ? template.metadata : {}
  const { rollbackTo: _removed, ...kept } = spec
  return { selector: { matchLabels: metadata.labels ?? {} }, ...kept }
}
