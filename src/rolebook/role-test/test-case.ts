import type { JsonObject, JsonPath, JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { KindNames } from './kind-names.ts'

/** One file of `roles/<role>/tests/`: the objects at the start, and what happens step by step. */
export interface TestCase {
  /** Of the file, as messages show it. */
  readonly path: string
  /** That it stands with. */
  readonly role: string
  readonly document: ParsedYaml
  /** Whether controllers of workloads are simulated. */
  readonly workloads: boolean
  readonly given: readonly KubeObject[]
  /** What its server serves. */
  readonly kinds: KindNames
  readonly steps: readonly Step[]
}

export interface Step {
  /** Where it stands in the document. */
  readonly path: JsonPath
  readonly name: string
  readonly action?: Action | undefined
  /** A regular expression for the message with which the server refuses the action. Absent: it takes the action. */
  readonly refused?: string | undefined
  /** Milliseconds that pass after the action. Absent: the test waits until it is quiet. */
  readonly wait?: number | undefined
  readonly expect: readonly Expectation[]
  readonly absent: readonly Search[]
  /** By `Kind` or `Kind/status`: what the engine has written in the step, no more and no less. */
  readonly writes?: Readonly<Record<string, number>> | undefined
  /** Whether no value of a Secret may stand where users without rights to the Secret can read it. */
  readonly keepsSecrets?: boolean | undefined
}

/** An object that a step names. */
export interface Target {
  /** Where it is named in the document. */
  readonly path: JsonPath
  readonly gvk: Gvk
  readonly name: string
  /** Absent: `default`, for a kind that has namespaces. */
  readonly namespace?: string | undefined
}

/** Objects of a kind and a namespace that a step finds by something else than their whole name. All that is given must hold. */
export interface Search {
  readonly path: JsonPath
  readonly gvk: Gvk
  /** A text, or a matcher for it. */
  readonly name?: JsonValue | undefined
  /** What `metadata.labels` must have. */
  readonly labels?: JsonObject | undefined
  /** Of an Event. */
  readonly reason?: string | undefined
  readonly namespace?: string | undefined
}

export interface Expectation extends Search {
  /** What the object must have at least; matchers stand in the place of values. */
  readonly fields: JsonObject
}

export type Action =
  | { readonly verb: 'patch'; readonly target: Target; readonly body: JsonObject }
  | { readonly verb: 'create'; readonly objects: readonly KubeObject[] }
  | { readonly verb: 'delete'; readonly targets: readonly Target[] }
  | { readonly verb: 'advance'; readonly milliseconds: number }
  | { readonly verb: 'restart'; readonly how: Ending }
  | { readonly verb: 'fail'; readonly faults: readonly Fault[] }

/** How the operator ends before another one starts: it is asked to, or its process is gone with all that is under way. */
export type Ending = 'stop' | 'crash'

/** Requests of the engine that go wrong from now on: with an answer of the code, or with none. */
export interface Fault {
  readonly verb?: string | undefined
  readonly gvk?: Gvk | undefined
  readonly code?: number | undefined
  /** Where the connection is cut: before the server has served the request, or after it. */
  readonly drop?: 'before' | 'after' | undefined
  readonly times: number
}
