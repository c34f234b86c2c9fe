import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import { proposing } from '../role/parse/proposed-values.ts'
import type { EventType } from '../role/run/run-context.ts'
import type { CompileContext, TaskKind } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { isLiteralText } from './target-object.ts'
import { toMessage } from './to-message.ts'

const EVENT_TYPES: readonly EventType[] = ['Normal', 'Warning']

/** Reports to people what happened. It delays nothing: the run goes on also if the cluster has refused the event. */
export const event: TaskKind<Template> = {
  name: 'event',
  doc: 'A Kubernetes Event on the resource, once per content.',
  example: `- name: Say that the old mode is going away
  when: \${spec.mode = "legacy"}
  event:
    type: Warning
    reason: ModeDeprecated
    message: mode legacy will be gone in version 2, use standard
`,
  schema: {
    type: 'object',
    required: ['type', 'reason', 'message'],
    additionalProperties: false,
    properties: {
      type: {
        description: '`Normal`, or `Warning` for what needs attention.',
        type: 'string',
        ...proposing(EVENT_TYPES),
      },
      reason: { description: 'One word in CamelCase, for programs.', type: 'string' },
      message: { description: 'What happened, for people. It is cut at 1024 bytes.', type: 'string' },
    },
  },
  modifiers: ['loop'],
  tellsOfEarlierTasks: true,

  compile(body, context) {
    reportLiterals(body, context)
    return context.template([], { needsValue: () => true, audience: 'people' })
  },

  check(context) {
    context.fields({ type: 'object', properties: { type: STRING, reason: STRING, message: STRING } })
    return ANY
  },

  async run(template, { scope, events }) {
    const { type, reason, message } = template.render(scope) as { readonly [field: string]: JsonValue }
    if (!isEventType(type)) throw new TaskFailure('Invalid', '`type` is neither Normal nor Warning')
    if (typeof reason !== 'string' || !REASON.test(reason)) {
      throw new TaskFailure('Invalid', '`reason` is not one word in CamelCase')
    }
    events.record({ type, reason, message: toMessage(message) })
    return { kind: 'unchanged' }
  },

  permissions: () => [{ gvk: { group: 'events.k8s.io', version: 'v1', kind: 'Event' }, access: 'create' }],
}

const STRING: Schema = { type: 'string' }
const REASON = /^[A-Z][A-Za-z0-9]{0,127}$/

function isEventType(value: JsonValue | undefined): value is EventType {
  return value === 'Normal' || value === 'Warning'
}

function reportLiterals(body: JsonValue, context: CompileContext): void {
  const { type, reason } = body as JsonObject
  if (isLiteralText(type) && !isEventType(type)) {
    const hint = 'Write `Normal`, or `Warning` for what needs attention.'
    context.report(['type'], 'RB1420', `"${type}" is not a type of an event`, hint)
  }
  if (isLiteralText(reason) && !REASON.test(reason)) {
    const hint = 'Write one word such as `DatabaseMigrated`, at most 128 letters and digits.'
    context.report(['reason'], 'RB1421', `"${reason}" is not a reason of an event`, hint)
  }
}
