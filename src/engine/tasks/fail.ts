import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import type { TaskKind } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { SAID_FIELDS, toMessage } from './to-message.ts'

/** Fails the run. */
export const fail: TaskKind<Template> = {
  name: 'fail',
  doc: 'Fails the run until its inputs change.',
  example: `- name: Refuse the old mode
  when: \${spec.mode = "legacy"}
  fail:
    message: mode legacy is no longer there, use standard
`,
  schema: {
    type: 'object',
    required: ['message'],
    additionalProperties: false,
    properties: { message: { description: 'What the resource says.', type: 'string' } },
  },
  modifiers: ['loop'],
  holdsUpLaterTasks: true,
  refuses: true,
  alwaysFails: true,

  compile: (_body, context) => context.template(['message'], { needsValue: () => true, audience: 'people' }),

  check(context) {
    context.fields(SAID_FIELDS)
    return ANY
  },

  async run(message, { scope }) {
    throw new TaskFailure('Failed', toMessage(message.render(scope)))
  },

  permissions: () => [],
}
