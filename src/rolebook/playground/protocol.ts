/** What the page and its worker say to each other, as plain JSON. */
import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import type { Suggestion } from '../lsp/suggestion.ts'
import type { FieldChange, ResourceDetails, ResourceRow } from '../ui/model.ts'

/** Files of a project by their path below its folder: `roles/web/role.yaml`. */
export type ProjectTexts = Readonly<Record<string, string>>

export interface ObjectName {
  readonly apiVersion: string
  readonly kind: string
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
}

/** What the page asks for. Requests that change something are done one after the other, and each is answered. */
export type PlaygroundRequest =
  /** A new cluster with the project, its CRDs and its samples. What was there before is gone. Reports of the cluster carry `revision`. */
  | { readonly type: 'open'; readonly files: ProjectTexts; readonly revision: number }
  /** The project of the cluster has changed. With an error in it, the last good version goes on. */
  | { readonly type: 'change'; readonly files: ProjectTexts }
  /** Objects in YAML, as `kubectl apply` takes them. */
  | { readonly type: 'apply'; readonly text: string }
  /** Answered with the object in YAML. */
  | { readonly type: 'get'; readonly object: ObjectName }
  /** The whole object in YAML, as `kubectl edit` sends it. */
  | { readonly type: 'edit'; readonly text: string }
  | { readonly type: 'delete'; readonly object: ObjectName }
  | { readonly type: 'scale'; readonly object: ObjectName; readonly replicas: number }
  /** Moves the clock of the cluster forward. */
  | { readonly type: 'advance'; readonly milliseconds: number }
  | { readonly type: 'runClock'; readonly isRunning: boolean }
  /** Whether the operator reaches the API server. */
  | { readonly type: 'connect'; readonly isConnected: boolean }
  /** Answered with everything about a resource, by its uid. `null`: it is gone. */
  | { readonly type: 'details'; readonly uid: string }
  /** Answered with the results of the tests of all roles. */
  | { readonly type: 'test' }
  /** What may stand at a place of a text. Answered at once, like `hover`, `define` and `name`. */
  | { readonly type: 'complete'; readonly place: TextPlace }
  | { readonly type: 'hover'; readonly place: TextPlace }
  /** Where the name at a place comes from, or the file that it names. Empty: it comes from nowhere in the project. */
  | { readonly type: 'define'; readonly place: TextPlace }
  /** The name at a place, if it can be renamed. */
  | { readonly type: 'name'; readonly place: TextPlace }
  /** What gives the name at a place another one, in all files. Refused: it cannot be called so. */
  | { readonly type: 'rename'; readonly place: TextPlace; readonly name: string }

export interface Answers {
  readonly open: ChangeAnswer
  readonly change: ChangeAnswer
  readonly apply: null
  readonly get: string
  readonly edit: null
  readonly delete: null
  readonly scale: null
  readonly advance: null
  readonly runClock: null
  readonly connect: null
  readonly details: ResourceDetails | null
  readonly test: readonly TestView[]
  readonly complete: CompletionView
  readonly hover: HoverView | null
  readonly define: readonly TextRange[]
  readonly name: TextRange | null
  readonly rename: readonly FileEdit[]
}

/** A place in a file, whose text may be newer than that of the project. */
export interface TextPlace {
  readonly path: string
  readonly text: string
  readonly offset: number
}

/** Offsets in a file; `end` is exclusive. */
export interface TextRange {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** A text in place of a stretch of a file. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface FileEdit extends TextEdit {
  readonly path: string
}

export interface CompletionView {
  readonly suggestions: readonly Omit<Suggestion, 'rank'>[]
  /** Offsets in the text: what is replaced. */
  readonly start: number
  readonly end: number
}

export interface HoverView {
  /** Markdown. */
  readonly text: string
  /** Offsets in the text: what it is about. */
  readonly start: number
  readonly end: number
}

export type AnswerTo<Type extends PlaygroundRequest['type']> = Answers[Type]

/** What the page sends. */
export interface RequestMessage {
  readonly id: number
  readonly request: PlaygroundRequest
}

/** What the worker sends. */
export type WorkerMessage =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly message: string }
  | { readonly type: 'state'; readonly revision: number; readonly state: ClusterState }
  /** Writes since the last message, in their order. */
  | { readonly type: 'writes'; readonly revision: number; readonly writes: readonly WriteView[] }

export interface ChangeAnswer {
  /** Whether the cluster runs this version of the project. */
  readonly isUsed: boolean
  /** What could not be done with its samples although it has no error. */
  readonly refusal?: string | undefined
  readonly diagnostics: readonly DiagnosticView[]
}

/** Its file is named as seen from the folder of the project. */
export interface DiagnosticView extends Omit<Diagnostic, 'source'> {
  /** What its hint proposes to write. */
  readonly fixes: readonly FixView[]
}

/** A change of the file after which the mistake is gone. */
export interface FixView {
  readonly title: string
  /** In the text that was checked. */
  readonly edits: readonly TextEdit[]
}

/** The cluster of one moment. */
export interface ClusterState {
  /** Milliseconds since 1970, by the clock of the cluster. */
  readonly now: number
  readonly isClockRunning: boolean
  readonly isConnected: boolean
  /** Whether the operator has nothing to do. */
  readonly isIdle: boolean
  /** What the operator looks after, as its caches have it. */
  readonly rows: readonly ResourceRow[]
  /** As the API server has them, resources included. */
  readonly objects: readonly ObjectView[]
}

/** An object that was made after the cluster had started. */
export interface ObjectView extends ObjectName {
  readonly uid: string
  /** Uids of the objects that own it. */
  readonly owners: readonly string[]
  readonly health: 'ready' | 'notReady' | 'failed'
  /** Why it is not ready. */
  readonly message: string
  /** Absent: it cannot be scaled. */
  readonly replicas?: number | undefined
}

export interface WriteView {
  readonly number: number
  /** Milliseconds since 1970, by the clock of the cluster. */
  readonly at: number
  readonly verb: 'created' | 'changed' | 'deleted'
  readonly object: ObjectName
  /** The manager of the fields. Empty: not known. */
  readonly by: string
  readonly fields: readonly FieldChange[]
  /** How many fields differ that are not listed. */
  readonly more: number
}

export interface TestView {
  readonly role: string
  /** Below the folder of the project. */
  readonly path: string
  readonly isPassed: boolean
  /** What `rolebook test` prints of it. */
  readonly report: string
}
