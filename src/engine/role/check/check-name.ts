import { splitTemplate } from '../../expression/split-template.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { TypedTexts } from './typed-texts.ts'

/** A `name` that looks as if something were filled in: names of tasks are literal. */
export function warnOfComputedName({ modifiers: { name }, path }: TaskDraft, texts: TypedTexts): void {
  if (typeof name !== 'string' || !holdsExpression(name)) return
  const message = 'the `name` of a task is shown as it is written: nothing is filled in'
  const hint = 'write plain text; what differs from run to run belongs in a `message` or in the status'
  texts.report([...path, 'name'], { severity: 'warning', code: 'RB1111', message, hint })
}

/** What is never closed is plain text to everybody. */
function holdsExpression(name: string): boolean {
  try {
    return splitTemplate(name).some((part) => 'source' in part)
  } catch {
    return false
  }
}
