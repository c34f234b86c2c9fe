import { type Diagnostic, diagnosticAt } from '../yaml/diagnostic.ts'
import type { ParsedYaml } from '../yaml/parsed-yaml.ts'
import type { TaskDraft } from './draft-tasks.ts'

const ALWAYS: readonly string[] = ['name', 'when']

/** Modifiers that have no meaning beside the kind of a task. */
export function misplacedModifiers({ kind, modifiers, path }: TaskDraft, document: ParsedYaml): readonly Diagnostic[] {
  const given = Object.keys(modifiers)
  const taken: readonly string[] = [
    ...ALWAYS,
    ...kind.modifiers,
    ...(kind.modifiers.includes('loop') ? ['loopVar'] : []),
  ]
  const found = given
    .filter((name) => !taken.includes(name))
    .map((name) => {
      const hint = `\`${kind.name}\` takes ${taken.join(', ')}`
      const problem = { code: 'RB1101', message: `\`${name}\` has no meaning beside \`${kind.name}\``, hint }
      return diagnosticAt(document.locate([...path, name], 'key'), problem)
    })
  if (found.length > 0 || !given.includes('loopVar') || given.includes('loop')) return found
  const problem = { code: 'RB1102', message: '`loopVar` names the items of a `loop`, and there is none' }
  return [diagnosticAt(document.locate([...path, 'loopVar'], 'key'), problem)]
}
