import type { JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** The message of a task for people. @throws TaskFailure `Invalid` when it is a list or an object */
export function toMessage(value: JsonValue | undefined): string {
  if (typeof value === 'object') throw new TaskFailure('Invalid', '`message` is not text')
  return String(value)
}

const STRING: Schema = { type: 'string' }
/** What a `wait`, `assert` or `fail` says, and for how long a task waits. */
export const SAID_FIELDS: Schema = { type: 'object', properties: { message: STRING, timeout: STRING } }
