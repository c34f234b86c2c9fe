import { isJsonObject, type JsonPath } from '../base/json.ts'
import type { RoleDraft, TaskDraft } from './parse-role.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Names that a role gives and no expression reads. */
export function warnOfUnused(draft: RoleDraft, texts: TypedTexts): void {
  const tasks = withNested(draft.tasks)
  // Other files may read what this one names.
  const isAlone = texts.complete && !texts.used.has('template') && !tasks.some(({ kind }) => kind.name === 'include')
  if (!isAlone) return
  for (const name of Object.keys(draft.vars)) warn(name, ['vars', name], 'key', texts)
  for (const { kind, body, modifiers, path } of tasks) {
    const { register } = modifiers
    if (typeof register === 'string') warn(register, [...path, 'register'], 'value', texts)
    if (kind.name !== 'set' || !isJsonObject(body)) continue
    for (const name of Object.keys(body)) warn(name, [...path, 'set', name], 'key', texts)
  }
}

function withNested(tasks: readonly TaskDraft[]): readonly TaskDraft[] {
  return tasks.flatMap((task) => [task, ...withNested([...task.lists.values()].flat())])
}

function warn(name: string, path: JsonPath, at: 'key' | 'value', texts: TypedTexts): void {
  if (texts.used.has(name)) return
  const hint = `read it as \`$${name}\`, or remove it`
  texts.report(path, { severity: 'warning', code: 'RB1133', message: `nothing uses \`${name}\``, hint }, at)
}
