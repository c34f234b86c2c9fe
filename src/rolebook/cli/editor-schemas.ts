import { TaskRegistry } from '../../engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { TEST_SCHEMA } from '../role-test/test-schema.ts'
import { editorSchemas, type SchemaName } from '../scaffold/editor-schemas.ts'

/** The texts of the schemas for editors, by name. */
export function editorSchemaTexts(): Readonly<Record<SchemaName, string>> {
  const schemas = editorSchemas({ registry: new TaskRegistry(builtinTaskKinds), test: TEST_SCHEMA })
  const texts = Object.entries(schemas).map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`])
  return Object.fromEntries(texts)
}

/** The file of a schema in a folder of schemas. */
export function schemaFile(name: SchemaName): string {
  return `${name}.json`
}

/** The files of a folder of schemas. */
export function editorSchemaFiles(): Readonly<Record<string, string>> {
  const texts = Object.entries(editorSchemaTexts())
  return Object.fromEntries(texts.map(([name, text]) => [schemaFile(name as SchemaName), text]))
}
