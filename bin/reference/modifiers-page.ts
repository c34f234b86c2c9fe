import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { modifiersBeside } from '../../src/engine/role/parse/misplaced-modifiers.ts'
import { MODIFIER_SCHEMAS, type ModifierSchema } from '../../src/engine/role/parse/modifier-schemas.ts'
import type { TaskKind } from '../../src/engine/role/task-kind.ts'
import { describe, describeType } from './describe-schema.ts'

/** The reference page of the modifiers: all of it comes from their schemas. */
export function modifiersPage(kinds: readonly TaskKind[]): string {
  const parts = Object.entries(MODIFIER_SCHEMAS).map(([name, schema]) => partOf(name, schema, kinds))
  return ['# Modifiers', 'What may stand in a task beside its kind.', ...parts].join('\n\n')
}

function partOf(name: string, schema: ModifierSchema, kinds: readonly TaskKind[]): string {
  const takers = kinds.filter((kind) => modifiersBeside(kind).includes(name))
  const isForAll = takers.length === kinds.length
  const names = isForAll ? 'every kind of task' : takers.map((kind) => `[\`${kind.name}\`](${kind.name}.md)`).join(', ')
  const examples = schema.examples.map((example) => printYaml([{ [name]: example }])).join('# or\n')
  return [
    `## \`${name}\``,
    describe(schema),
    `Holds ${describeType(schema)}. For ${names}.`,
    `\`\`\`yaml\n${examples}\`\`\``,
  ].join('\n\n')
}
