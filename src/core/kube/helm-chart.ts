import type { JsonObject, JsonValue } from '../base/json.ts'

/**
 * The bytes of a Helm chart, as they were read from disk: a `.tgz`, or the files of a folder by their path in it. Of one that is
 * far too large, nothing but its size.
 */
export type ChartSource =
  | { readonly archive: Uint8Array }
  | { readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly size: number }

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

/** Charts to objects. Implemented by `chart`, with Helm's own engine. */
export interface ChartRenderer {
  /** Rejects with a `ChartFailure` when Helm cannot read it, or it is too large. */
  loadChart(source: ChartSource): Promise<Chart>
  /** Rejects with a `ChartFailure`: Helm's own message, or the limit that was reached. */
  render(request: RenderRequest): Promise<Rendering>
}

export interface RenderRequest {
  readonly chart: Chart
  /** What is set on top of the chart's own values. */
  readonly values: JsonObject
  readonly release: Release
  readonly capabilities: Capabilities
  /** What random functions gave before. */
  readonly draws: readonly Draw[]
  /** What templates see as the present time, in milliseconds since 1970. */
  readonly now: number
  /** Answers `lookup`: an object, a list, or nothing. Defaults to nothing. */
  readonly lookup?: ((query: LookupQuery) => Promise<JsonObject | undefined>) | undefined
}

export interface LookupQuery {
  readonly apiVersion: string
  readonly kind: string
  /** Empty: a cluster-scoped kind, or all namespaces. */
  readonly namespace: string
  /** Empty: all. */
  readonly name: string
}
