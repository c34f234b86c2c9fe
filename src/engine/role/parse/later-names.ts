import type { Diagnostic } from '../../../core/yaml/diagnostic.ts'
import { withNested } from './draft-tasks.ts'
import type { RoleDraft } from './parse-role.ts'

/** Says of a variable that is unknown in which line below a task gives it. */
export function withLaterNames(
  diagnostics: readonly Diagnostic[],
  draft: RoleDraft,
  code: string,
): readonly Diagnostic[] {
  if (!diagnostics.some((one) => one.code === code)) return diagnostics
  const lines = linesOfNames(draft)
  const { path } = draft.document.source
  return diagnostics.map((one) => {
    const name = one.code === code && one.file === path ? /\$(\w+)/.exec(one.message)?.[1] : undefined
    const line = name === undefined ? undefined : lines.get(name)
    if (line === undefined || line <= one.line) return one
    return { ...one, hint: `\`$${name}\` is given below, in line ${line}: move this task behind that one` }
  })
}

function linesOfNames({ document, tasks }: RoleDraft): ReadonlyMap<string, number> {
  const lineOf = (path: Parameters<typeof document.locate>[0]): number => {
    const { source, start } = document.locate(path, 'key')
    return source.position(start).line
  }
  return new Map(
    withNested(tasks).flatMap(({ path, kind, body, modifiers: { register } }) => {
      const set = Object.keys(kind.names?.(body)?.forLaterTasks ?? {})
      const given = set.map((name) => [name, lineOf([...path, kind.name, name])] as const)
      return typeof register === 'string' ? [...given, [register, lineOf([...path, 'register'])] as const] : given
    }),
  )
}
