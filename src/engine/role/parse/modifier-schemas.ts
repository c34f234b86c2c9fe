import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { CHARSETS, DEFAULT_CHARSET, DEFAULT_LENGTH, LENGTH_BOUNDS } from '../generated-key.ts'
import { proposing } from './proposed-values.ts'

const NAME: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  explain: 'a name is made of letters, digits and `_`, and does not begin with a digit',
}

/** Of an object whose fields are taken over. An annotation of the object names them. */
const MAX_MANAGERS = 20

/** Fields of our own managers are never taken over: they are ours, or belong to a `patch` task. */
const MANAGER: JsonObject = {
  type: 'string',
  pattern: '^(?!rolebook($|-patch-))[^,$\\s][^,$]{0,127}$',
  explain:
    'name a field manager as `metadata.managedFields` does, in at most 128 characters without `,` and `$`; those of rolebook itself cannot be named',
}

/** A list of tasks, within a role or in the body of a task. */
export const TASKS: JsonObject = { $ref: '#/$defs/tasks' }

/** What orders the tasks of a list. */
export const ORDER: JsonObject = {
  description:
    'What orders the tasks: `data`, what they need of one another; `sequential`, where they stand: one after the other, until one waits or fails.',
  enum: ['data', 'sequential'],
}

/** Items that one loop may have: more is a mistake in the role or an attack through the resource. */
export const MAX_LOOP_ITEMS = 1_000

/** The schema of a modifier, from which its part of the reference page is made: `default` is for people only. */
export type ModifierSchema = JsonObject & {
  readonly description: string
  readonly examples: readonly [JsonValue, ...JsonValue[]]
}

/** What may stand beside the kind of a task. Which of them a kind takes is its own choice. */
export const MODIFIER_SCHEMAS: Readonly<Record<string, ModifierSchema>> = {
  name: {
    description: 'What the task is called in messages and conditions.',
    examples: ['Wait for the database'],
    type: 'string',
    minLength: 1,
    maxLength: 200,
  },
  when: {
    description:
      'Whether the task runs. The object of an `ensure` that does not run is not wanted: it is removed at the end of a complete run.',
    default: true,
    examples: ['${spec.tls = true}'],
    type: ['string', 'boolean'],
  },
  after: {
    description:
      'Names of earlier tasks of the same list: the task runs once they have succeeded or were skipped. With `optional` it runs once they have ended, with success or without.',
    default: [],
    examples: [['Schema'], [{ task: 'Warm the cache', optional: true }]],
    type: 'array',
    items: {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['task'],
          properties: {
            task: { description: 'The name of a task.', type: 'string' },
            optional: {
              description: 'Whether the task may have failed, or may wait.',
              default: false,
              type: 'boolean',
            },
          },
        },
      ],
    },
  },
  loop: {
    description: `The task runs once per item of this list, which it sees as \`$item\` and \`$index\`; at most ${MAX_LOOP_ITEMS} items. Nothing is an empty list, any other single value a list of one. \`when\` is asked for each item.`,
    examples: ['${spec.ports}', ['blue', 'green']],
    type: ['array', 'string', 'object', 'number', 'boolean'],
    maxItems: MAX_LOOP_ITEMS,
  },
  loopVar: {
    description: 'The name of the item instead of `$item`. A loop within a loop needs one.',
    default: 'item',
    examples: ['port'],
    ...NAME,
  },
  register: {
    description:
      'Later tasks see the live object under this name, its status included; with a loop, or of a `list`, a list of objects. A task that was skipped registers nothing.',
    examples: ['deployment'],
    ...NAME,
  },
  readyWhen: {
    description:
      'When the object counts as ready, instead of the rules of its kind: an expression over `$self`, the live object. `true`: it is not counted at all.',
    examples: ['${$self.status.phase = "Running"}', true],
    anyOf: [{ type: 'string' }, { const: true }],
  },
  waitReady: {
    description: 'Later tasks run only once the object is ready; one that has failed fails the task.',
    default: false,
    examples: [true],
    type: ['string', 'boolean'],
  },
  timeout: {
    description:
      'How long the task may wait, beginning when it first did so for the present generation of the resource. Then it fails, until what it waits for has come.',
    examples: ['10m', '${spec.patience}'],
    type: 'string',
  },
  drift: {
    description:
      'Whether what others change of the object is put back. `once`: it is written when what the role wants has changed, and other edits stay; an object that was deleted comes back.',
    default: 'enforce',
    examples: ['once'],
    enum: ['enforce', 'once'],
  },
  onImmutable: {
    description:
      'What happens when a field that the role wants to change can never change, such as the template of a Job. `recreate`: the object is deleted and made anew, once the server has said that it would take it. Of built-in kinds alone, and never of those with data: PersistentVolume, PersistentVolumeClaim, Namespace, CustomResourceDefinition, StatefulSet.',
    default: 'fail',
    examples: ['recreate'],
    enum: ['fail', 'recreate'],
  },
  force: {
    description: 'Fields are taken from other managers, where a conflict would be reported otherwise.',
    default: false,
    examples: [true],
    type: 'boolean',
  },
  handOver: {
    description:
      'Paths of fields that are left to another manager while it has them, such as the replicas of a Deployment that an autoscaler scales. They are set when the object is made, and taken back when they are no longer listed.',
    default: [],
    examples: [
      ['spec.replicas'],
      ["metadata.annotations['example.com/note']", 'spec.template.spec.containers[name=web].image'],
    ],
    anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
  },
  retain: {
    description: 'The object stays when the role no longer makes it, and when the resource goes.',
    default: false,
    examples: [true],
    type: 'boolean',
  },
  adopt: {
    description:
      'Whether an object that is there already is taken over: `ifUnowned` takes one that has no controller. `from` does the same, and takes over the fields of the field managers that it names: those of them that the role does not set are removed. `kubectl` stands for all commands of kubectl.',
    default: 'never',
    examples: ['ifUnowned', { from: ['kubectl', 'helm'] }],
    anyOf: [
      { type: 'string', enum: ['never', 'ifUnowned'] },
      {
        type: 'object',
        additionalProperties: false,
        required: ['from'],
        properties: {
          from: {
            description: 'Names of field managers, as they stand in `metadata.managedFields`.',
            type: 'array',
            minItems: 1,
            maxItems: MAX_MANAGERS,
            uniqueItems: true,
            items: MANAGER,
          },
        },
      },
    ],
  },
  sensitive: {
    description:
      'The results of the expressions of the task, and the values that it reads, are kept out of logs, events, conditions and the status, as values of Secrets always are. Tasks within it are sensitive, too.',
    default: false,
    examples: [true],
    type: 'boolean',
  },
  generate: {
    description:
      'Keys of a Secret below `data` whose values are random: made once, and read from the live Secret ever after. A key that is removed from it is made again.',
    examples: [{ password: { length: 24 }, pin: { length: 8, charset: 'digits' } }, { token: {} }],
    type: 'object',
    minProperties: 1,
    propertyNames: {
      pattern: '^[-._A-Za-z0-9]{1,253}$',
      explain: 'a key of a Secret is made of letters, digits, `-`, `_` and `.`',
    },
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        length: { description: 'How many characters.', default: DEFAULT_LENGTH, type: 'integer', ...LENGTH_BOUNDS },
        charset: {
          description: `What it is made of: ${Object.keys(CHARSETS).join(', ')}, or ten characters or more, each once.`,
          default: DEFAULT_CHARSET,
          type: 'string',
          minLength: 1,
          ...proposing(Object.keys(CHARSETS)),
        },
      },
    },
  },
}
