import type { JsonValue } from '../../../core/base/json.ts'
import { printableText } from '../../../core/base/printable-text.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { printObjectDiff } from '../diff/print-diff.ts'
import type { PreviewPart } from './preview.ts'
import type { PartDiff } from './preview-diff.ts'

/** YAML documents, each below a comment with its title and the task that made it. */
export function printParts(parts: readonly PreviewPart[]): string {
  return parts.map((part) => `# ${headingOf(part)}\n${printYaml([part.object as JsonValue])}`).join('---\n')
}

function headingOf({ title, task }: PreviewPart): string {
  return printableText(task === undefined ? title : `${title}, made by the task "${task.name}"`)
}

/** `1 added, 2 changed, 0 removed`, then the objects with the fields that differ. */
export function previewDiffLines(diffs: readonly PartDiff[], color: boolean): readonly string[] {
  if (diffs.length === 0) return ['no differences']
  const count = (action: PartDiff['action']): number => diffs.filter((one) => one.action === action).length
  const total = `${count('create')} added, ${count('change')} changed, ${count('remove')} removed`
  return [total, ...diffs.flatMap((diff) => printObjectDiff(diff, diff.part.title, color))]
}
