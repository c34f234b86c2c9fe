import type { JsonPath } from '../../../core/base/json.ts'
import { type TaskDraft, withNested } from '../parse/draft-tasks.ts'
import type { RoleDraft } from '../parse/parse-role.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Variables of a role that no expression reads, in none of its files. */
export function warnOfUnusedVars({ vars }: RoleDraft, texts: TypedTexts): void {
  if (texts.all.complete) warnOf(Object.keys(vars), texts.all.used, (name) => ['vars', name], texts)
}

/** Names that an `include` gives and its tasks do not read. `inner` are the texts of these. */
export function warnOfUnusedGiven(
  given: readonly { readonly name: string; readonly path: JsonPath }[],
  texts: TypedTexts,
  inner: TypedTexts,
): void {
  if (!inner.complete) return
  for (const { name, path } of given) if (!inner.used.has(name)) warn(name, path, 'key', texts)
}

/** Names that the tasks of a file give and no expression in it reads. */
export function warnOfUnusedNames(drafts: readonly TaskDraft[], texts: TypedTexts): void {
  if (!texts.complete) return
  for (const { kind, body, modifiers, path } of withNested(drafts)) {
    const { register } = modifiers
    if (typeof register === 'string' && !texts.used.has(register)) warn(register, [...path, 'register'], 'value', texts)
    const names = Object.keys(kind.names?.(body)?.forLaterTasks ?? {})
    warnOf(names, texts.used, (name) => [...path, kind.name, name], texts)
  }
}

function warnOf(
  names: readonly string[],
  used: ReadonlySet<string>,
  pathOf: (name: string) => JsonPath,
  texts: TypedTexts,
): void {
  for (const name of names.filter((one) => !used.has(one))) warn(name, pathOf(name), 'key', texts)
}

function warn(name: string, path: JsonPath, at: 'key' | 'value', texts: TypedTexts): void {
  const hint = `read it as \`$${name}\`, or remove it`
  texts.report(path, { severity: 'warning', code: 'RB1133', message: `nothing uses \`${name}\``, hint }, at)
}
