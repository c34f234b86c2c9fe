import type { JsonObject } from '../base/json.ts'

const NAME: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  explain: 'a name is made of letters, digits and `_`, and does not begin with a digit',
}

/** A list of tasks, within a role or in the body of a task. */
export const TASKS: JsonObject = { $ref: '#/$defs/tasks' }

/** Items that one loop may have: more is a mistake in the role or an attack through the resource. */
export const MAX_LOOP_ITEMS = 1_000

/** What may stand beside the kind of a task. Which of them a kind takes is its own choice. */
export const MODIFIER_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  when: { type: ['string', 'boolean'] },
  loop: { type: ['array', 'string', 'object', 'number', 'boolean'], maxItems: MAX_LOOP_ITEMS },
  loopVar: NAME,
  register: NAME,
  readyWhen: { anyOf: [{ type: 'string' }, { const: true }] },
  waitReady: { type: ['string', 'boolean'] },
  retain: { type: 'boolean' },
  adopt: { enum: ['never', 'ifUnowned'] },
}
