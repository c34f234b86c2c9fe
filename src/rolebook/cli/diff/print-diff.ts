import { printableText } from '../../../core/base/printable-text.ts'
import { type Loss, namesOf } from '../../../engine/operator/without-role/resources-without-role.ts'
import type { TracedField } from '../../../engine/reconcile/trace/run-trace.ts'
import { paint } from '../paint.ts'
import { isItself, nameOf, type ObjectDiff, type ResourceDiff } from './resource-diff.ts'

const SIGNS = { create: '+', change: '~', remove: '-' } as const
const COLORS = { create: 'green', change: 'yellow', remove: 'red' } as const

export interface PrintDiffOptions {
  readonly color: boolean
  /** Resources that would have no role any more. */
  readonly lost?: readonly Loss[] | undefined
}

/** What would be done, resource by resource, for people. Of resources for which nothing would be, nothing. */
export function printDiff(diffs: readonly ResourceDiff[], { color, lost = [] }: PrintDiffOptions): string {
  const shown = diffs.filter(({ objects, held }) => objects.length > 0 || held !== undefined)
  const blocks = shown.map((diff) => linesOf(diff, color).join('\n'))
  return `${[...blocks, ...lossLines(lost), summaryOf(diffs)].join('\n\n')}\n`
}

function lossLines(lost: readonly Loss[]): readonly string[] {
  return [...Map.groupBy(lost, ({ by }) => by)].map(([by, losses]) => {
    const what = `${by} would leave ${namesOf(losses)} without a role`
    return printableText(`! ${what}: refused, unless --allow-teardown removes what was made for them`)
  })
}

function linesOf(diff: ResourceDiff, color: boolean): readonly string[] {
  const { resource, role, objects, held } = diff
  const title = paint(nameOf(resource), 'bold', color) + (role === undefined ? '' : ` (role ${role})`)
  const said = held === undefined ? [] : [`  ! ${printableText(held)}`]
  return [title, ...objects.flatMap((object) => printObjectDiff(object, nameIn(resource, object), color)), ...said]
}

function nameIn(resource: ResourceDiff['resource'], object: ObjectDiff): string {
  return isItself(resource, object) ? 'the resource itself' : nameOf(object)
}

/** What would be done to an object: its name, and a line for each field. */
export function printObjectDiff(
  { action, fields }: Pick<ObjectDiff, 'action' | 'fields'>,
  name: string,
  color: boolean,
): readonly string[] {
  const title = `  ${paint(`${SIGNS[action]} ${printableText(name)}`, COLORS[action], color)}`
  if (fields === undefined) return [title]
  if (fields.length === 0) return [`${title} (only what rolebook keeps in it)`]
  return [title, ...fields.map((field) => `      ${printField(field)}`)]
}

/** `spec.replicas: 2 → 3`. */
export function printField({ field, from, to, expression }: TracedField): string {
  const change = `${from ?? 'nothing'} → ${to ?? 'nothing'}`
  const source = expression === undefined ? '' : `   \${${expression}}`
  return printableText(`${field}: ${change}${source}`)
}

function summaryOf(diffs: readonly ResourceDiff[]): string {
  const objects = diffs.flatMap((diff) => diff.objects)
  const count = (action: ObjectDiff['action']): number => objects.filter((one) => one.action === action).length
  const looked = `${diffs.length} ${diffs.length === 1 ? 'resource' : 'resources'}`
  if (objects.length === 0) return `${looked}: no differences`
  return `${looked}: ${count('create')} to create, ${count('change')} to change, ${count('remove')} to remove`
}
