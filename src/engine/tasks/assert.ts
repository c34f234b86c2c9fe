import type { JsonArray } from '../../core/base/json.ts'
import type { Expression } from '../expression/compile-expression.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import { evaluateCondition } from '../role/run/evaluate-condition.ts'
import type { TaskKind } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { SAID_FIELDS, toMessage } from './to-message.ts'

interface CompiledAssert {
  readonly conditions: readonly Expression[]
  readonly message: Template
}

/** Fails the run while one of its conditions is false. */
export const assert: TaskKind<CompiledAssert> = {
  name: 'assert',
  doc: 'A false condition fails the run until its inputs change.',
  example: `- name: The size is one that works
  assert:
    that:
      - \${spec.replicas >= 1}
      - \${spec.replicas % 2 = 1}
    message: an odd number of replicas is needed, not \${spec.replicas}
`,
  schema: {
    type: 'object',
    required: ['that', 'message'],
    additionalProperties: false,
    properties: {
      that: {
        description: 'Expressions that must all be true.',
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
      },
      message: { description: 'What the resource says when one is false.', type: 'string' },
    },
  },
  modifiers: ['loop'],
  holdsUpLaterTasks: true,
  refuses: true,

  compile(body, context) {
    const { that } = body as { readonly that: readonly string[] }
    return {
      conditions: that.flatMap((_text, index) => context.expression(['that', index]) ?? []),
      message: context.template(['message'], { needsValue: () => true, audience: 'people' }),
    }
  },

  check(context) {
    for (const index of (context.body.that as JsonArray).keys()) context.condition(['that', index])
    context.fields(SAID_FIELDS, ['that'])
    return ANY
  },

  async run({ conditions, message }, { scope }) {
    const holds = conditions.every((condition, index) => evaluateCondition(condition, scope, `assert.that[${index}]`))
    if (holds) return { kind: 'unchanged' }
    throw new TaskFailure('Failed', toMessage(message.render(scope)))
  },

  permissions: () => [],
}
