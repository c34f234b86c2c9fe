import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionSchema } from '../api-version.ts'
import type { TaskRegistry } from '../task-registry.ts'
import { MODIFIER_SCHEMAS, ORDER, TASKS } from './modifier-schemas.ts'

/** The JSON schema of a role file, put together from the kinds of task that are registered. */
export function roleSchema(registry: TaskRegistry): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['tasks'],
    properties: {
      apiVersion: apiVersionSchema('install the rolebook that reads a later one'),
      vars: { description: 'Names for values, top to bottom, evaluated once at the start of a run.', type: 'object' },
      order: { ...ORDER, default: 'data' },
      tasks: { description: 'What becomes of the resource.', ...TASKS },
      finalize: {
        description:
          'Tasks for when the resource is being deleted, before anything of it goes: always one after the other.',
        ...TASKS,
      },
    },
    $defs: { tasks: { type: 'array', minItems: 1, items: taskSchema(registry) } },
  }
}

/** The JSON schema of a file of tasks that a role includes. */
export function taskFileSchema(registry: TaskRegistry): JsonObject {
  return { ...TASKS, $defs: { tasks: { type: 'array', minItems: 1, items: taskSchema(registry) } } }
}

function taskSchema({ kinds }: TaskRegistry): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...MODIFIER_SCHEMAS,
      ...Object.fromEntries(kinds.map(({ name, doc, schema }) => [name, { description: doc, ...schema }])),
    },
    oneOf: kinds.map(({ name }) => ({ required: [name] })),
  }
}
