import type { JsonValue } from '../../../core/base/json.ts'
import { jsonChanges } from '../../../core/base/json-changes.ts'
import type { TracedField } from '../../../engine/reconcile/trace/run-trace.ts'
import { printChange } from '../../../engine/reconcile/trace/run-tracer.ts'
import { Secrecy } from '../../../engine/role/secrecy/secrecy.ts'
import type { ObjectDiff } from '../diff/resource-diff.ts'
import type { Preview, PreviewPart } from './preview.ts'

/** How one part differs from what it was. */
export interface PartDiff extends Pick<ObjectDiff, 'action' | 'fields'> {
  readonly part: PreviewPart
}

/** Characters of a value. */
const LONGEST = 120

/** What is new or other than before in the order of the new preview, then what is gone. */
export function diffOfPreviews(before: Preview, after: Preview): readonly PartDiff[] {
  const old = partsById(before)
  const now = partsById(after)
  const gone = [...old].filter(([id]) => !now.has(id)).map(([, part]) => ({ part, action: 'remove' }) as const)
  return [...[...now].flatMap(([id, part]) => diffOfPart(old.get(id), part) ?? []), ...gone]
}

function diffOfPart(before: PreviewPart | undefined, part: PreviewPart): PartDiff | undefined {
  if (!before) return { part, action: 'create' }
  const fields = changedFields(before, part)
  return fields.length === 0 ? undefined : { part, action: 'change', fields }
}

/** Secrets were hidden when the objects were shown. */
function changedFields(before: PreviewPart, { object, task }: PreviewPart): readonly TracedField[] {
  const changes = jsonChanges(before.object as JsonValue, object as JsonValue)
  return changes.map((change) => printChange(change, { object, task, secrecy: new Secrecy(), longest: LONGEST }))
}

/** Parts whose names are hidden may have the same title. Their order distinguishes them. */
function partsById({ parts }: Preview): ReadonlyMap<string, PreviewPart> {
  const alike = Map.groupBy(parts, ({ title, object }) => `${object.apiVersion} ${title}`)
  return new Map([...alike].flatMap(([id, same]) => same.map((part, index) => [`${id} ${index}`, part] as const)))
}
