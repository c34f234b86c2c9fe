import type { JsonObject } from '../../../core/base/json.ts'
import type { NewTask } from '../new-task.ts'
import type { Parameters, TaskContext } from '../task-context.ts'

/** Modifiers of the task that a module takes over, translated. */
export interface Modifiers {
  readonly name: string | undefined
  /** `when` and `loop`, as they stand in the new task. */
  readonly fields: JsonObject
  /** The name that the result is registered under, in Ansible. */
  readonly register: string | undefined
  /** `until`, not translated, with how long it is tried. */
  readonly until: { readonly condition: string | boolean | readonly string[]; readonly timeout: string } | undefined
}

/** What becomes of one module of Ansible. */
export interface Module {
  /** Without the name of the collection. */
  readonly names: readonly string[]
  /** Collections it comes from, beside no name at all. */
  readonly collections: readonly string[]
  /** @throws Undecided */
  translate(parameters: Parameters, modifiers: Modifiers, context: TaskContext): readonly NewTask[]
}

/** A module of Ansible without a counterpart, with what to do instead. */
export interface RefusedModule {
  readonly names: readonly string[]
  readonly hint: string
}
