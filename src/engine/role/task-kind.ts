import type { JsonObject, JsonPath, JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { ChartSource } from '../../core/kube/helm-chart.ts'
import type { Expression } from '../expression/compile-expression.ts'
import type { Template } from '../expression/compile-template.ts'
import type { Type } from '../expression/types/type.ts'
import type { CheckContext } from './check/check-context.ts'
import type { ObjectUse } from './graph/object-use.ts'
import type { TaskOrder } from './graph/task-graph-types.ts'
import type { RunContext } from './run/run-context.ts'
import type { Audience } from './secrecy/leak-problems.ts'
import type { TaskModifiers } from './task-modifiers.ts'
import type { ListOutcome, TaskOutcome } from './task-outcome.ts'

/**
 * One kind of task that a role may use.
 *
 * A kind is plain data: the engine reads `name`, `schema` and `modifiers` to check role files, `compile` once per load,
 * `run` once per reconcile, `permissions` to generate rights and to know the kinds that a role makes.
 * It must be idempotent, and must return `waiting` rather than sleep.
 */
export interface TaskKind<Compiled = unknown> {
  readonly name: string
  /** One sentence for the reference page, which is made from this, the schema and the example. */
  readonly doc: string
  /** Tasks of a role, as YAML, that use the kind as people would. A test checks them, and shows them on the reference page. */
  readonly example: string
  /** What the files are, below the role, that the example names. Defaults to none. */
  readonly exampleFiles?: Readonly<Record<string, string>> | undefined
  /**
   * JSON schema of the body. Where an expression may stand, the schema allows text. The `description` of each field goes
   * to the reference page and to editors; its `default` is what a field left out means, for people only.
   */
  readonly schema: JsonObject
  /** Modifiers that make sense beside it, besides `name` and `when`. */
  readonly modifiers: readonly ModifierName[]
  /**
   * Whether it only reports: after another task of the role's own list has failed, it runs all the same when it reads nothing
   * that the failed task or one behind it would have given. Defaults to false.
   */
  readonly runsAfterFailure?: boolean | undefined
  /** Whether it reports to people what the tasks before it have done. Then it runs after all of them. Defaults to false. */
  readonly tellsOfEarlierTasks?: boolean | undefined
  /** Whether all later tasks depend on it, also those that read nothing of it: a wait, a check. Defaults to false. */
  readonly holdsUpLaterTasks?: boolean | undefined
  /** Whether its failure means that the role itself refuses its input. Defaults to false. */
  readonly refuses?: boolean | undefined
  /** Whether it fails each time that it runs. Defaults to false. */
  readonly alwaysFails?: boolean | undefined
  /** Whether it writes the status of the resource. Defaults to false. */
  readonly writesStatus?: boolean | undefined
  /**
   * Where templates of other languages may be meant in its texts. variables: in values that may become anything. everywhere: in what
   * another program fills in. Defaults to nowhere.
   */
  readonly foreignTemplates?: 'variables' | 'everywhere' | undefined
  /** Fields of the body that hold tasks. Defaults to none. */
  readonly lists?: readonly string[] | undefined
  /** Fields of the body that name a file of tasks, by its literal path in the folder of the role. Defaults to none. */
  readonly files?: readonly string[] | undefined
  /** The field of what it registers that holds the objects. Absent: what it registers is an object, or a list of them. */
  readonly objectsIn?: string | undefined
  /** The body is as the schema wants it. */
  compile(body: JsonValue, context: CompileContext): Compiled
  /**
   * What can be proven wrong with the body before anything runs, from the schemas of the kinds that it names. Returns the type
   * of what the task registers. Absent: its expressions are checked, the body may hold anything, and so may what it registers.
   */
  check?(context: CheckContext): Type
  /** The names that a body gives to values. Defaults to none. */
  names?(body: JsonValue): GivenNames
  /** Throwing is failing: `TaskFailure`, `ApiError`, `ExpressionError` and `MissingValueError` have outcomes of their own in `runTask`. */
  run(task: Compiled, context: RunContext): Promise<TaskOutcome>
  permissions(task: Compiled): readonly Permission[]
  /** The objects that it reads and writes: they order it and other tasks. Defaults to all of the kinds that `permissions` names. */
  uses?(task: Compiled): readonly ObjectUse[]
  /** The template of the object that it writes: it shows which expression made a change. Defaults to none. */
  written?(task: Compiled): Template
}

/** Names, each with its value as it is written. */
export interface GivenNames {
  readonly forLaterTasks?: JsonObject | undefined
  /** For the tasks of a file that `files` names. */
  readonly forFiles?: JsonObject | undefined
}

export type ModifierName =
  | 'loop'
  | 'register'
  | 'readyWhen'
  | 'waitReady'
  | 'timeout'
  | 'drift'
  | 'onImmutable'
  | 'force'
  | 'handOver'
  | 'retain'
  | 'adopt'
  | 'generate'

/** What a kind may ask while it compiles the body of a task. Paths are relative to the body. */
export interface CompileContext {
  readonly modifiers: TaskModifiers
  /** The type of the resource that triggers the role. */
  readonly watch: Gvk
  /** Compiles the part of the body at `path` (the whole body by default). Problems in it are reported with their place. */
  template(path?: JsonPath, options?: TemplateRules): Template
  /** Compiles text that must be exactly one `${ … }`. `undefined` after a problem was reported. */
  expression(path: JsonPath): Expression | undefined
  /** Makes a name visible to what is compiled from now on: the rest of the body and later tasks. `path` is where it stands. */
  define(name: string, path: JsonPath): void
  /**
   * Compiles the tasks in a field of the body that `lists` names. Names that they give stay visible after them, unless
   * the task loops or they are `isolated`; an isolated list runs in a scope of its own. `variables` are seen by them alone.
   * `order` defaults to that of the list in which the task stands.
   */
  tasks(field: string, rules?: TaskListRules): TaskList
  /**
   * Compiles the file of tasks that a field of the body names (`files`). Its tasks see the variables of the role and
   * these, and nothing else around them. The kind that runs them makes the scope.
   */
  include(field: string, variables: readonly GivenVariable[]): TaskList
  /** The Helm chart that a field of the body names, by its literal path in the folder of the role. `undefined` after a problem was reported. */
  chart(field: string): ChartSource | undefined
  /** Reports a problem at a place of the body. */
  report(path: JsonPath, code: string, message: string, hint?: string): void
}

export interface TaskListRules {
  readonly isolated?: boolean | undefined
  readonly variables?: readonly string[] | undefined
  readonly order?: TaskOrder | undefined
}

/** A variable for the tasks of another file. */
export interface GivenVariable {
  readonly name: string
  /** Where it is given in the body. */
  readonly path: JsonPath
  readonly value: Template
}

/** Compiled tasks. One that waits or fails holds up those that come after it. */
export interface TaskList {
  readonly permissions: readonly Permission[]
  /** Never rejects for what a task or a server does wrong. Rejects with the signal's reason when aborted. */
  run(context: RunContext): Promise<ListOutcome>
}

export interface TemplateRules {
  /** Whether a missing value at this path (relative to the template) fails the task instead of being left out. */
  needsValue?(path: JsonPath): boolean
  /** What messages call the place. Defaults to its path in the body. */
  readonly base?: JsonPath
  /** Who sees what comes of it. Defaults to the API server alone. */
  readonly audience?: Audience | undefined
}

/** What a task needs to be allowed to do. The kind of an object is literal in a role, so this is known without a run. */
export interface Permission {
  readonly gvk: Gvk
  /**
   * own: makes, changes and deletes objects of the resource. patch: changes fields of foreign objects. read: get, list,
   * watch. create: makes objects that are not kept.
   */
  readonly access: 'own' | 'patch' | 'read' | 'create'
  /** When literal in the role. */
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly subresource?: 'status' | undefined
  /** Of objects that are read by their labels, never by a name. Defaults to false. */
  readonly listed?: boolean | undefined
  /** Of objects that stay when the resource goes. Defaults to false. */
  readonly retained?: boolean | undefined
  /** Of objects of RBAC: what they grant. Absent for all others. */
  readonly grants?: Grants | undefined
}

/** The role that a binding names, or the rules of a role, when literal in the role; else only a run knows. */
export type Grants =
  | { readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string } }
  | { readonly rules: readonly PolicyRule[] }
  | 'computed'

/** A rule of RBAC about resources. */
export type PolicyRule = {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}
