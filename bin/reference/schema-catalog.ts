import type { JsonObject } from '../../src/core/base/json.ts'
import type { SchemaName } from '../../src/rolebook/scaffold/editor-schemas.ts'

interface Listed {
  readonly schema: SchemaName
  readonly name: string
  /** Files for which editors take it without being asked. */
  readonly fileMatch?: readonly string[]
}

/**
 * The Ansible and the Helm operator have a `watches.yaml`, too, and Ansible roles have files of tasks. So their schemas are found by the first line of a
 * file alone, and the one of tasks is not listed.
 */
const LISTED: readonly Listed[] = [
  { schema: 'role', name: 'rolebook role', fileMatch: ['**/roles/*/role.yaml'] },
  { schema: 'test', name: 'rolebook role test', fileMatch: ['**/roles/*/tests/*.yaml'] },
  { schema: 'watches', name: 'rolebook watches.yaml' },
]

/** A catalogue as SchemaStore has one, with the entries that rolebook has for it. */
export function schemaCatalog(texts: Readonly<Record<SchemaName, string>>): string {
  const schemas = LISTED.map(({ schema, name, fileMatch }) => {
    const { $id, description } = JSON.parse(texts[schema]) as JsonObject
    return { name, description: String(description).replace(/\.$/, ''), fileMatch, url: $id }
  })
  const catalog = { $schema: 'https://json.schemastore.org/schema-catalog.json', version: 1, schemas }
  return `${JSON.stringify(catalog, null, 2)}\n`
}
