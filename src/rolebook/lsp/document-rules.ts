import { roleSchema, taskFileSchema } from '../../engine/role/parse/role-schema.ts'
import { TaskRegistry } from '../../engine/role/task-registry.ts'
import { WATCHES_SCHEMA } from '../config/watches-schema.ts'
import type { FileUse, ProjectView } from './project-view.ts'
import type { AnySchema, SchemaRules } from './schema-places.ts'

/** What is known of the documents of a file, by its use. */
export function rulesFor(use: FileUse, view: ProjectView, tests: AnySchema): SchemaRules {
  const { kinds } = view.options
  const resource = 'role' in use ? view.partsOf(use.role)?.watch : undefined
  return {
    root: rootSchema(use, kinds, tests),
    kinds,
    schemas: view.schemas,
    resource: resource && view.schemas.get(resource),
  }
}

function rootSchema({ use }: FileUse, kinds: SchemaRules['kinds'], tests: AnySchema): AnySchema {
  if (use === 'watches') return WATCHES_SCHEMA as AnySchema
  if (use === 'test') return tests
  if (use === 'role') return roleSchema(new TaskRegistry(kinds)) as AnySchema
  return use === 'tasks' ? (taskFileSchema(new TaskRegistry(kinds)) as AnySchema) : {}
}
