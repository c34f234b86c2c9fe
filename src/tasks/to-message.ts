import type { JsonValue } from '../base/json.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** What a task tells people. @throws TaskFailure `Invalid` when it is a list or an object */
export function toMessage(value: JsonValue | undefined): string {
  if (typeof value === 'object') throw new TaskFailure('Invalid', '`message` is not text')
  return String(value)
}
