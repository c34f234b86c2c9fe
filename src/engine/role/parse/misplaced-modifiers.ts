import { type Diagnostic, diagnosticAt, type Problem } from '../../../core/yaml/diagnostic.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { TaskKind } from '../task-kind.ts'
import type { TaskDraft } from './draft-tasks.ts'
import { MODIFIER_SCHEMAS } from './modifier-schemas.ts'

const ALWAYS: readonly string[] = ['name', 'when', 'after', 'sensitive']

/** Names of the modifiers that may stand beside a kind of task. */
export function modifiersBeside({ modifiers }: TaskKind): readonly string[] {
  return [...ALWAYS, ...modifiers, ...(modifiers.includes('loop') ? ['loopVar'] : [])]
}

/** What to do with a key of a task that stands in the body of the task instead. `undefined`: it is no such key. */
export function misplacedKeyHint(key: string, kind: string): string | undefined {
  if (!Object.hasOwn(MODIFIER_SCHEMAS, key)) return undefined
  return `\`${key}\` says something of the task: write it beside \`${kind}\`, not below it`
}

/** Modifiers that have no meaning beside the kind of a task. */
export function misplacedModifiers({ kind, modifiers, path }: TaskDraft, document: ParsedYaml): readonly Diagnostic[] {
  const given = Object.keys(modifiers)
  const taken = modifiersBeside(kind)
  const found = given
    .filter((name) => !taken.includes(name))
    .map((name) => {
      const hint = `\`${kind.name}\` takes ${taken.join(', ')}`
      const problem = { code: 'RB1101', message: `\`${name}\` has no meaning beside \`${kind.name}\``, hint }
      return diagnosticAt(document.locate([...path, name], 'key'), problem)
    })
  if (found.length > 0) return found
  return PARTNERS.filter(({ name, of }) => given.includes(name) && !given.includes(of)).map(({ name, problem }) =>
    diagnosticAt(document.locate([...path, name], 'key'), problem),
  )
}

/** Modifiers that say something of another one, and nothing without it. */
const PARTNERS: readonly { readonly name: string; readonly of: string; readonly problem: Problem }[] = [
  {
    name: 'loopVar',
    of: 'loop',
    problem: { code: 'RB1102', message: '`loopVar` names the items of a `loop`, and there is none' },
  },
  {
    name: 'timeout',
    of: 'waitReady',
    problem: {
      code: 'RB1108',
      message: '`timeout` says how long `waitReady` waits, and there is none',
      hint: 'add `waitReady: true`, or remove it',
    },
  },
]
