import { modifiersBeside } from '../../src/engine/role/parse/misplaced-modifiers.ts'
import type { TaskKind } from '../../src/engine/role/task-kind.ts'
import { cell, describe, describeType, fieldsOf } from './describe-schema.ts'

/** The reference page of a kind of task: all of it comes from the kind's own file. */
export function taskKindPage(kind: TaskKind): string {
  const modifiers = modifiersBeside(kind).map((name) => `[\`${name}\`](modifiers.md#${name.toLowerCase()})`)
  return [
    `# \`${kind.name}\``,
    kind.doc,
    '## Example',
    fenced(kind.example),
    ...filesOf(kind),
    '## Body',
    bodyOf(kind),
    '## Modifiers',
    `${modifiers.join(', ')}.`,
  ].join('\n\n')
}

function filesOf({ exampleFiles = {} }: TaskKind): readonly string[] {
  return Object.entries(exampleFiles).flatMap(([path, text]) => [`\`${path}\`, below the role:`, fenced(text)])
}

function fenced(text: string): string {
  return `\`\`\`yaml\n${text.trimEnd()}\n\`\`\``
}

function bodyOf({ schema }: TaskKind): string {
  const fields = fieldsOf(schema)
  const rows = fields.map((field) => {
    const cells = [`\`${field.path}\``, describeType(field.schema), field.required ? 'yes' : '', describe(field.schema)]
    return `| ${cells.map(cell).join(' | ')} |`
  })
  const type = `${describeType(schema).replace(/^./, (letter) => letter.toUpperCase())}.`
  const others = schema.additionalProperties === false ? ' It has no other fields.' : ''
  if (rows.length === 0) return type
  return [`${type}${others}`, '', '| Field | Holds | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}
