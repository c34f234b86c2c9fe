import type { Schema } from '../../schema/schema.ts'

export const STRING: Schema = { type: 'string' }
export const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true }
const LABELS: Schema = { type: 'object', additionalProperties: STRING }
const REQUIREMENT: Schema = {
  type: 'object',
  properties: {
    key: STRING,
    operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
    values: { type: 'array', items: STRING },
  },
}
const SELECTOR: Schema = {
  type: 'object',
  properties: { matchLabels: LABELS, matchExpressions: { type: 'array', items: REQUIREMENT } },
}
/** The body of a `get` or `list`. */
export const READ: Schema = {
  type: 'object',
  properties: { name: STRING, namespace: STRING, labels: LABELS, selector: SELECTOR },
}
/** The body of an `event`. */
export const EVENT: Schema = { type: 'object', properties: { type: STRING, reason: STRING, message: STRING } }
/** What a `wait`, `assert` or `fail` tells, and for how long a task waits. */
export const MESSAGES: Schema = { type: 'object', properties: { message: STRING, timeout: STRING } }
