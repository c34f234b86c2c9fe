import type { JsonObject, JsonValue } from '../base/json.ts'

/** The bytes of a chart, as they were read from disk: a `.tgz`, or the files of a folder by their path in it. */
export type ChartSource = { readonly archive: Uint8Array } | { readonly files: ReadonlyMap<string, Uint8Array> }

/** A chart that Helm has read. */
export interface Chart {
  /** A hash of its bytes: charts with the same id are the same. */
  readonly id: string
  readonly name: string
  readonly version: string
  /** What it installs, as its author numbers it. */
  readonly appVersion?: string | undefined
  /** Defaults of its values, those of sub-charts not included. */
  readonly values: JsonObject
  /** The text of its `values.schema.json`. */
  readonly schema?: string | undefined
}

/** What templates see as `.Release`. */
export interface Release {
  readonly name: string
  readonly namespace: string
  /** Counts from 1. The first is an install, the others are upgrades. */
  readonly revision: number
}

/** What templates see as `.Capabilities`. */
export interface Capabilities {
  /** `v1.36.4` */
  readonly kubeVersion: string
  /** `apps/v1`, and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[]
}

/** What one call of a random function gave. Handed in again, it gives the same again. */
export interface Draw {
  readonly template: string
  readonly function: string
  readonly arguments?: string | undefined
  readonly value: JsonValue
}

export interface RenderedObject {
  /** The template it comes from: `tomcat/templates/service.yaml`. */
  readonly source: string
  readonly object: JsonObject
}

export interface RenderedHook extends RenderedObject {
  readonly events: readonly string[]
  readonly weight: number
  readonly deletePolicies: readonly string[]
}

/** What became of a chart, in the order in which Helm would install it. */
export interface Rendering {
  readonly crds: readonly RenderedObject[]
  readonly manifests: readonly RenderedObject[]
  readonly hooks: readonly RenderedHook[]
  readonly draws: readonly Draw[]
}
