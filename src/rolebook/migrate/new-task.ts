import type { JsonObject } from '../../core/base/json.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'

/** A task of the new role. */
export interface NewTask {
  /** Lines above it, without `#`. */
  readonly comments?: readonly string[] | undefined
  /** Everything but what follows. */
  readonly fields: JsonObject
  /** Of a `block`. */
  readonly block?: readonly NewTask[] | undefined
  readonly rescue?: readonly NewTask[] | undefined
}

/** Tasks as a YAML list, with their comments, indented by as many spaces. */
export function printTasks(tasks: readonly NewTask[], indent: number): string {
  return tasks.map((task) => printTask(task, indent)).join('\n')
}

function printTask({ comments = [], fields, block, rescue }: NewTask, indent: number): string {
  const head = comments.map((line) => (line === '' ? '#\n' : `# ${line}\n`)).join('')
  const body = head + printYaml([[fields]])
  const inner = indent + 6
  const tasks = block === undefined ? '' : `  block:\n    tasks:\n`
  const first = indented(body + tasks, indent)
  if (block === undefined) return first
  const saved = rescue === undefined ? '' : `${indented('    rescue:\n', indent)}${printTasks(rescue, inner)}`
  return `${first}${printTasks(block, inner)}${saved}`
}

function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by))
}
