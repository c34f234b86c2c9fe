import type { JsonPath } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { Template } from '../expression/compile-template.ts'
import type { ObjectUse } from './graph/object-use.ts'
import type { TaskGraph, TaskLink } from './graph/task-graph-types.ts'
import type { Permission, TaskKind } from './task-kind.ts'
import type { TaskModifiers } from './task-modifiers.ts'
import type { WrittenLines, WrittenPlace } from './written-place.ts'

/** A role compiled for one watch entry: frozen, shared by all its runs. */
export interface Role {
  readonly name: string
  /** Changes when anything does that a run depends on: the files of the role, the variables and kind of the entry. */
  readonly hash: string
  readonly watch: Gvk
  /** Evaluated once at the start of a run, top to bottom; values of the entry have replaced the role's own. */
  readonly vars: readonly RoleVariable[]
  readonly tasks: readonly Task[]
  /** What orders `tasks`. Absent: they run one after the other. Those of `finalize` always do. */
  readonly graph?: TaskGraph | undefined
  /** Run instead of `tasks` while the resource is being deleted. Absent: nothing is to be done then. */
  readonly finalize?: readonly Task[] | undefined
  /** Of all tasks, without duplicates. */
  readonly permissions: readonly Permission[]
  /** Paths that expressions read from the resource, each once; an empty one is all of it. */
  readonly reads: readonly JsonPath[]
  /** Keys of `metadata.annotations` that expressions read; `all` when that is unknown. */
  readonly annotationsRead: readonly string[] | 'all'
}

export interface RoleVariable {
  readonly name: string
  readonly value: Template
  /** Absent: the entry gives the value. */
  readonly written?: WrittenPlace | undefined
}

export interface Task {
  /** As messages show it: its `name`, else its kind and place: `ensure (task 3)`. */
  readonly name: string
  /** Where it stands in its file, as text: no two of a list have the same. */
  readonly place: string
  /** Where its fields are written, for messages. */
  readonly lines: WrittenLines
  /** In its list. */
  readonly index: number
  readonly kind: TaskKind
  readonly body: unknown
  readonly modifiers: TaskModifiers
  /** Variables that it, or a task that it holds, reads, without `$`. */
  readonly reads: ReadonlySet<string>
  /** Variables that it, or a task that it holds, gives a value. */
  readonly gives: ReadonlySet<string>
  /** Objects that it, or a task that it holds, reads or writes. */
  readonly uses: readonly ObjectUse[]
  /** Whether all later tasks are about a world in which it has succeeded. */
  readonly isGuard: boolean
  /** Whether it, or a task that it holds, sets the status of the resource. */
  readonly setsStatus: boolean
  /** The tasks that it comes after, because it says so. */
  readonly after: readonly TaskLink[]
  /** Whether the items of its loop may run at the same time. */
  readonly itemsAtOnce: boolean
  /** The lists of tasks that it holds, each with the field of the body that has it. */
  readonly lists: readonly (TaskSequence & { readonly field: string })[]
}

/** The tasks of a list, and what orders them. */
export interface TaskSequence {
  readonly tasks: readonly Task[]
  /** Absent: they run one after the other. */
  readonly graph?: TaskGraph | undefined
}

/** Namespaces, besides that of the resource, in which its role may read or write; `*` is any. */
export interface AllowedNamespaces {
  /** Absent: none; for a cluster-scoped resource, any. */
  readonly read?: readonly string[] | undefined
  readonly write?: readonly string[] | undefined
}

/** What happens to the children of a resource that is deleted. */
export interface DeletionSettings {
  /** `foreground`: the engine deletes all children and waits until they are gone. Else it does so for those out of reach of the garbage collector. */
  readonly propagation: 'background' | 'foreground'
  /** One after the other: the last made first, and each is gone before the next is deleted. Absent: all at once. */
  readonly order?: 'reverse' | undefined
}
