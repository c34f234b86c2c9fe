import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Tasks that can never run: behind one that always fails and that nothing holds back, or with a `when` that is never true. */
export function warnOfUnreachable(tasks: readonly TaskDraft[], texts: TypedTexts): void {
  const end = tasks.findIndex(isEnd)
  const [last, lost] = end < 0 ? [] : [tasks[end], tasks[end + 1]]
  if (last !== undefined && lost !== undefined) {
    const message = 'this task never runs: the one before it always fails'
    texts.report(lost.path, {
      severity: 'warning',
      code: 'RB1134',
      message,
      hint: `give the \`${last.kind.name}\` a \`when\``,
    })
  }
  for (const { modifiers, path } of tasks) {
    if (!isNever(modifiers.when)) continue
    const message = 'this task never runs: its `when` is false'
    texts.report([...path, 'when'], { severity: 'warning', code: 'RB1134', message })
  }
}

function isEnd({ kind, modifiers }: TaskDraft): boolean {
  return kind.alwaysFails === true && modifiers.when === undefined && modifiers.loop === undefined
}

function isNever(when: unknown): boolean {
  return when === false || (typeof when === 'string' && /^\s*(\$\{\s*)?false(\s*\})?\s*$/.test(when))
}
