import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { hashJson } from '../src/core/base/hash.ts'
import type { JsonObject } from '../src/core/base/json.ts'
import { SCHEMA_OPTIONS, withKeywords } from '../src/core/yaml/check-schema.ts'
import { roleSchema, taskFileSchema } from '../src/engine/role/parse/role-schema.ts'
import { TaskRegistry } from '../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../src/engine/tasks/builtin-task-kinds.ts'
import { WATCHES_SCHEMA } from '../src/rolebook/config/watches-schema.ts'
import { PROBE_TASK } from '../src/rolebook/lsp/probe-task.ts'
import { TEST_SCHEMA } from '../src/rolebook/role-test/test-schema.ts'

/** A module with a validator for each schema that files of a project are checked against, by the hash of the schema. */
export async function compiledSchemas(): Promise<string> {
  // The second is that of the language server.
  const registries = [builtinTaskKinds, [...builtinTaskKinds, PROBE_TASK]].map((kinds) => new TaskRegistry(kinds))
  const ofRoles = registries.flatMap((registry) => [roleSchema(registry), taskFileSchema(registry)])
  const schemas = [...ofRoles, WATCHES_SCHEMA, TEST_SCHEMA] as JsonObject[]
  const hashes = schemas.map(hashJson)
  const ajv = withKeywords(new Ajv2020({ ...SCHEMA_OPTIONS, code: { source: true, esm: true } }))
  for (const [index, schema] of schemas.entries()) ajv.addSchema(schema, hashes[index] as string)
  const names = Object.fromEntries(hashes.map((hash, index) => [`validator${index}`, hash]))
  const code = standalone.default(ajv, names)
  const table = Object.entries(names).map(([name, hash]) => `${JSON.stringify(hash)}: ${name}`)
  return `${code}\nexport const validators = {${table.join(', ')}}\n`
}
