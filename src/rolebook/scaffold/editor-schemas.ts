import type { JsonObject } from '../../core/base/json.ts'
import { modifiersBeside } from '../../engine/role/parse/misplaced-modifiers.ts'
import { MODIFIER_SCHEMAS } from '../../engine/role/parse/modifier-schemas.ts'
import { roleSchema, taskFileSchema } from '../../engine/role/parse/role-schema.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import type { TaskRegistry } from '../../engine/role/task-registry.ts'
import { REFUSED_KEYS, WATCHES_SCHEMA } from '../config/watches-schema.ts'
import { type SchemaTitle, toEditorSchema } from './editor-schema.ts'

/** Files of a project that have a schema. */
export const SCHEMA_NAMES = ['watches', 'role', 'tasks', 'test'] as const
export type SchemaName = (typeof SCHEMA_NAMES)[number]

export interface SchemaSources {
  /** The vocabulary of roles. */
  readonly registry: TaskRegistry
  /** The schema that role tests are checked with. */
  readonly test: JsonObject
}

const TITLES: Readonly<Record<SchemaName, Omit<SchemaTitle, '$id'>>> = {
  watches: {
    title: 'watches.yaml of rolebook',
    description: 'Which resources rolebook looks after, and which role says what becomes of them.',
  },
  role: {
    title: 'A role of rolebook',
    description: 'What becomes of a resource: tasks, from top to bottom. `${ … }` is JSONata over the resource.',
  },
  tasks: {
    title: 'Tasks that a role of rolebook includes',
    description: 'A list of tasks, from top to bottom.',
  },
  test: {
    title: 'A role test of rolebook',
    description: 'What happens to the objects of a cluster, step by step, and what the role makes of it.',
  },
}

/** The address that names a schema, and at which the website has it. */
export function schemaUrl(name: SchemaName): string {
  return `https://rolebook.dev/schemas/v1/${name}.json`
}

/** The schemas that editors are given, by the name of what they describe. */
export function editorSchemas(sources: SchemaSources): Readonly<Record<SchemaName, JsonObject>> {
  const schemas = Object.entries(sourceSchemas(sources)) as [SchemaName, JsonObject][]
  const written = schemas.map(([name, schema]) => [
    name,
    toEditorSchema(schema, { $id: schemaUrl(name), ...TITLES[name] }),
  ])
  return Object.fromEntries(written)
}

/** What they are made from: the schemas that the files are checked with, and what is checked beside them. */
export function sourceSchemas({ registry, test }: SchemaSources): Readonly<Record<SchemaName, JsonObject>> {
  return {
    watches: watchesSchema(),
    role: withMisplaced(roleSchema(registry), registry),
    tasks: withMisplaced(taskFileSchema(registry), registry),
    test,
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
    const then = { errorMessage: `has no meaning beside ${kind.name}`, properties: misplacedBeside(kind) }
    return { if: { required: [kind.name] }, then }
  })
  return { ...schema, $defs: { tasks: { ...tasks, items: { ...(tasks.items as JsonObject), allOf: rules } } } }
}

function misplacedBeside(kind: TaskKind): JsonObject {
  const taken = modifiersBeside(kind)
  const others = Object.keys(MODIFIER_SCHEMAS).filter((name) => !taken.includes(name))
  return Object.fromEntries(others.map((name) => [name, false]))
}
