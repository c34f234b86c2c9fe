import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { Task } from '../role.ts'
import type { TaskDraft } from './draft-tasks.ts'

/** A task as its file has it. */
export interface WrittenTask {
  readonly document: ParsedYaml
  readonly draft: TaskDraft
}

/** Remembers where compiled tasks are written. Kept beside the tasks: an operator does not need it, and it keeps whole documents. */
export class TaskPlaces {
  readonly #written = new WeakMap<Task, WrittenTask>()

  record(task: Task, written: WrittenTask): void {
    this.#written.set(task, written)
  }

  of(task: Task): WrittenTask | undefined {
    return this.#written.get(task)
  }
}
