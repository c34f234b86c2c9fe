import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMA_NAMES, type SchemaName } from '../../scaffold/editor-schemas.ts'
import { type Command, UsageError } from '../command.ts'
import { editorSchemaTexts, schemaFile } from '../editor-schemas.ts'
import { EXIT } from '../terminal.ts'

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'print the JSON schema of watches.yaml, roles or tests, for editors',
  description:
    `Prints the JSON schema (draft-07) of a kind of file: ${SCHEMA_NAMES.join(', ')}; tasks is a file that a role includes. ` +
    'Editors with the YAML language server complete and check a file whose first line is ' +
    '"# yaml-language-server: $schema=<path>". With --write, the schema is written to a folder; all of them when none is named.',
  arguments: '[name]',
  options: [{ flags: '--write <dir>', description: 'write <dir>/<name>.json instead of printing' }],
  examples: ['rolebook schema role', 'rolebook schema --write schemas'],
  async run({ terminal, files, text }) {
    const [name] = files
    const folder = text('write')
    if (name !== undefined && !isSchemaName(name)) throw new UsageError(`there is no schema "${name}": ${CHOICE}`)
    if (name === undefined && folder === undefined) throw new UsageError(`which schema? ${CHOICE}`)
    const texts = editorSchemaTexts()
    if (folder === undefined) terminal.out(texts[name as SchemaName])
    else terminal.err(writeSchemas(folder, name === undefined ? SCHEMA_NAMES : [name], texts))
    return EXIT.ok
  },
}

const CHOICE = `choose one of ${SCHEMA_NAMES.join(', ')}`

function isSchemaName(name: string): name is SchemaName {
  return (SCHEMA_NAMES as readonly string[]).includes(name)
}

function writeSchemas(folder: string, names: readonly SchemaName[], texts: Record<SchemaName, string>): string {
  const paths = names.map((name) => ({ name, path: join(folder, schemaFile(name)) }))
  try {
    mkdirSync(folder, { recursive: true })
    for (const { name, path } of paths) writeFileSync(path, texts[name])
  } catch (error) {
    throw new UsageError(`cannot write to ${folder}`, { cause: error })
  }
  return paths.map(({ path }) => `wrote ${path}\n`).join('')
}
