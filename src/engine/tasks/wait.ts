import type { Expression } from '../expression/compile-expression.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import { renderTimeout, timeoutProblem } from '../role/compile/timeout.ts'
import { evaluateCondition } from '../role/run/evaluate-condition.ts'
import type { TaskKind } from '../role/task-kind.ts'
import { SAID_FIELDS, toMessage } from './to-message.ts'

interface CompiledWait {
  readonly condition: Expression | undefined
  readonly message: Template
  readonly timeout: Template | undefined
}

/** Holds up later tasks until a condition holds. It holds no worker: a change of what it reads triggers the role. */
export const wait: TaskKind<CompiledWait> = {
  name: 'wait',
  doc: 'Later tasks run only when the condition is true.',
  example: `- name: Database
  get: { apiVersion: apps/v1, kind: StatefulSet, name: "\${spec.database}" }
  register: database
- name: Wait for the database
  wait:
    for: \${$isReady($database)}
    message: StatefulSet \${spec.database} is not ready
    timeout: 10m
- name: Say so
  status: { database: ready }
`,
  schema: {
    type: 'object',
    required: ['for', 'message'],
    additionalProperties: false,
    properties: {
      for: { description: 'One expression that yields true or false.', type: 'string' },
      message: { description: 'What the resource says while it waits.', type: 'string' },
      timeout: { description: 'The task fails after this time, such as `5m`. Defaults to never.', type: 'string' },
    },
  },
  modifiers: ['loop'],
  holdsUpLaterTasks: true,

  compile(body, context) {
    const { timeout } = body as { readonly timeout?: string }
    const problem = timeout === undefined ? undefined : timeoutProblem(timeout)
    if (problem) context.report(['timeout'], 'RB1407', problem.message, problem.hint)
    return {
      condition: context.expression(['for']),
      message: context.template(['message'], { needsValue: () => true, audience: 'people' }),
      timeout: timeout === undefined ? undefined : context.template(['timeout']),
    }
  },

  check(context) {
    context.condition(['for'])
    context.fields(SAID_FIELDS, ['for'])
    return ANY
  },

  async run({ condition, message, timeout }, { scope }) {
    if (!condition || evaluateCondition(condition, scope, 'wait.for')) return { kind: 'unchanged' }
    return {
      kind: 'waiting',
      reason: toMessage(message.render(scope)),
      timeout: timeout && renderTimeout(timeout, scope),
    }
  },

  permissions: () => [],
}
