import type { JsonObject } from '../../core/base/json.ts'
import { modifiersBeside } from '../../engine/role/parse/misplaced-modifiers.ts'
import { MODIFIER_SCHEMAS } from '../../engine/role/parse/modifier-schemas.ts'
import { roleSchema, taskFileSchema } from '../../engine/role/parse/role-schema.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import type { TaskRegistry } from '../../engine/role/task-registry.ts'
import { REFUSED_KEYS, WATCHES_SCHEMA } from '../config/watches-schema.ts'
import { toEditorSchema } from './editor-schema.ts'

/** Files of a project that have a schema. */
export const SCHEMA_NAMES = ['watches', 'role', 'tasks', 'test'] as const
export type SchemaName = (typeof SCHEMA_NAMES)[number]

export interface SchemaSources {
  /** The vocabulary of roles. */
  readonly registry: TaskRegistry
  /** The schema that role tests are checked with. */
  readonly test: JsonObject
}

/** The schemas that editors are given, by the name of what they describe: made from those that the files are checked with. */
export function editorSchemas({ registry, test }: SchemaSources): Readonly<Record<SchemaName, JsonObject>> {
  return {
    watches: toEditorSchema(watchesSchema(), {
      title: 'watches.yaml of rolebook',
      description: 'Which resources rolebook looks after, and which role says what becomes of them.',
    }),
    role: toEditorSchema(withMisplaced(roleSchema(registry), registry), {
      title: 'A role of rolebook',
      description: 'What becomes of a resource: tasks, from top to bottom. `${ … }` is JSONata over the resource.',
    }),
    tasks: toEditorSchema(withMisplaced(taskFileSchema(registry), registry), {
      title: 'Tasks that a role of rolebook includes',
      description: 'A list of tasks, from top to bottom.',
    }),
    test: toEditorSchema(test, {
      title: 'A role test of rolebook',
      description: 'What happens to the objects of a cluster, step by step, and what the role makes of it.',
    }),
  }
}

/** Our schema knows the keys of the Ansible operator only to say what to do instead. The schema for editors refuses them. */
function watchesSchema(): JsonObject {
  const { items, ...list } = WATCHES_SCHEMA as { readonly items: JsonObject & { readonly properties: JsonObject } }
  const refused = Object.entries(REFUSED_KEYS).map(([key, instead]) => [key, refuse(instead)] as const)
  return { ...list, items: { ...items, properties: { ...items.properties, ...Object.fromEntries(refused) } } }
}

function refuse(why: string): JsonObject {
  return { not: {}, description: why, errorMessage: why, doNotSuggest: true }
}

/** A modifier that has no meaning beside a kind of task is wrong there. */
function withMisplaced(schema: JsonObject, { kinds }: TaskRegistry): JsonObject {
  const { tasks } = schema.$defs as { readonly tasks: JsonObject }
  const rules = kinds.map((kind) => {
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON schema, and a schema is not awaited
    return { if: { required: [kind.name] }, then: { properties: misplacedBeside(kind) } }
  })
  return { ...schema, $defs: { tasks: { ...tasks, items: { ...(tasks.items as JsonObject), allOf: rules } } } }
}

function misplacedBeside(kind: TaskKind): JsonObject {
  const taken = modifiersBeside(kind)
  const others = Object.keys(MODIFIER_SCHEMAS).filter((name) => !taken.includes(name))
  return Object.fromEntries(others.map((name) => [name, refuse(`has no meaning beside ${kind.name}`)]))
}
