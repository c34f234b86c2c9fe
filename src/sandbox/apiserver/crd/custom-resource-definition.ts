import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** A CustomResourceDefinition that went through the write pipeline, hence has what its schema requires. */
export type CustomResourceDefinition = KubeObject & {
  readonly spec: CrdSpec
  readonly status: CrdStatus
}

export type CrdSpec = {
  readonly group: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly names: CrdNames
  readonly versions: readonly CrdVersion[]
  readonly conversion?: CrdConversion
}

export type CrdConversion = {
  readonly strategy: 'None' | 'Webhook'
  readonly webhook?: { readonly clientConfig: JsonObject; readonly conversionReviewVersions: readonly string[] }
}

export type CrdNames = {
  readonly plural: string
  readonly singular?: string
  readonly kind: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export type CrdVersion = {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: JsonObject }
  readonly subresources?: {
    readonly status?: JsonObject
    readonly scale?: {
      readonly specReplicasPath: string
      readonly statusReplicasPath: string
      readonly labelSelectorPath?: string
    }
  }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export type PrinterColumn = {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export type CrdStatus = {
  readonly conditions: readonly CrdCondition[] | null
  /** Nothing but empty texts before any name is accepted. */
  readonly acceptedNames: CrdNames
  readonly storedVersions: readonly string[]
}

export type CrdCondition = {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

export const CRD_GVK = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' } as const

export const CRD_TABLE = 'apiextensions.k8s.io/customresourcedefinitions'

export function isConditionTrue({ status }: CustomResourceDefinition, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True')
}
