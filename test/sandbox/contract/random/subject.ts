import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { builtinSchema } from '../../../core/schema/schemas.ts'
import { type CustomShape, rootSchema } from './custom-schemas.ts'

/** A kind for random objects. */
export interface Subject {
  /** Several versions show the same objects. */
  readonly apiVersions: readonly string[]
  readonly kind: string
  readonly plural: string
  readonly schema: Schema
  readonly custom: boolean
  readonly hasStatus: boolean
  readonly hasScale: boolean
  /** Printed with a counterexample. */
  readonly definition?: JsonObject
}

const BUILTINS: readonly (readonly [apiVersion: string, kind: string, plural: string, subresources?: string])[] = [
  ['v1', 'ConfigMap', 'configmaps'],
  ['v1', 'Secret', 'secrets'],
  ['v1', 'ServiceAccount', 'serviceaccounts'],
  ['v1', 'Service', 'services'],
  ['v1', 'PodTemplate', 'podtemplates'],
  ['v1', 'LimitRange', 'limitranges'],
  ['discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'],
  ['apps/v1', 'Deployment', 'deployments', 'status scale'],
  ['apps/v1', 'StatefulSet', 'statefulsets', 'status scale'],
  ['batch/v1', 'CronJob', 'cronjobs', 'status'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'],
  ['networking.k8s.io/v1', 'Ingress', 'ingresses', 'status'],
  ['rbac.authorization.k8s.io/v1', 'Role', 'roles'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'],
  ['policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'],
  ['coordination.k8s.io/v1', 'Lease', 'leases'],
]

export function builtinSubjects(): readonly Subject[] {
  return BUILTINS.map(([apiVersion, kind, plural, subresources = '']) => ({
    apiVersions: [apiVersion],
    kind,
    plural,
    schema: builtinSchema(apiVersion, kind),
    custom: false,
    hasStatus: subresources.includes('status'),
    hasScale: subresources.includes('scale'),
  }))
}

export function customSubject(shape: CustomShape, definition: JsonObject): Subject {
  const { group, names } = definition.spec as { group: string; names: { kind: string; plural: string } }
  return {
    ...names,
    apiVersions: shape.versions.map((version) => `${group}/${version}`),
    schema: rootSchema(shape),
    custom: true,
    hasStatus: shape.hasStatus,
    hasScale: shape.hasScale,
    definition,
  }
}

export function collectionPath({ plural }: Subject, apiVersion: string, namespace: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}/namespaces/${namespace}/${plural}`
}
