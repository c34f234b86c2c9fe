import { readFileSync } from 'node:fs'
import type { KubeObject } from '../../../../src/core/kube/object.ts'

/** A sequence of requests about one object, as `scenarios.yaml` has them. */
export interface Scenario {
  readonly name: string
  readonly kind: keyof typeof KINDS
  readonly steps: readonly ScenarioStep[]
}

export interface ScenarioStep {
  readonly verb?: 'apply' | 'create' | 'put' | 'merge'
  readonly manager: string
  readonly force?: boolean
  readonly subresource?: string
  readonly body?: KubeObject
  /** For `put`: merged into the live object. */
  readonly set?: { readonly [field: string]: unknown }
}

/** The same with what the real server answered. */
export interface RecordedStep extends ScenarioStep {
  readonly object?: KubeObject
  readonly refusal?: {
    readonly status: number
    readonly message: string
    readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field: string }[]
  }
}

export interface RecordedScenario extends Scenario {
  readonly steps: readonly RecordedStep[]
}

/** `allocated` are fields of the spec that the server fills in after it has noted who wrote what. */
export const KINDS = {
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps', allocated: [] },
  Service: {
    apiVersion: 'v1',
    plural: 'services',
    allocated: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
  },
  PodTemplate: { apiVersion: 'v1', plural: 'podtemplates', allocated: [] },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments', allocated: [] },
  Widget: { apiVersion: 'ssa.example.com/v1', plural: 'widgets', allocated: [] },
} as const

export function readRecorded(file: string): readonly RecordedScenario[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}
