import { compareText } from '../../../core/schema/go-json.ts'
import { printPathElements } from '../../../core/schema/path-element.ts'
import type { Conflicts } from './field-updater.ts'
import { parseManagerId } from './managed-fields.ts'

/** A field that the applied object would change although another manager owns it. */
export interface FieldConflict {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  /** Empty for appliers. */
  readonly apiVersion: string
  readonly subresource: string
  /** `.spec.replicas`, `.spec.containers[name="web"].image`. */
  readonly field: string
}

/** By manager, then in the order of the fields. */
export function toFieldConflicts(conflicts: Conflicts): readonly FieldConflict[] {
  const sorted = [...conflicts].sort(([left], [right]) => compareText(left, right))
  return sorted.flatMap(([id, fields]) => {
    const identity = parseManagerId(id)
    return [...fields.paths()].map((path) => ({ ...identity, field: printPathElements(path) }))
  })
}

/** Message of the Status of a 409. */
export function conflictMessage(conflicts: readonly FieldConflict[]): string {
  const [only, ...more] = conflicts
  if (only !== undefined && more.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${printManager(only)}: ${only.field}`
  }
  const lines: string[] = []
  for (const [manager, fields] of Map.groupBy(conflicts, printManager)) {
    lines.push(`conflicts with ${manager}:`, ...fields.map(({ field }) => `- ${field}`))
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** `details.causes` of the Status of a 409. */
export function conflictCauses(
  conflicts: readonly FieldConflict[],
): readonly { readonly reason: string; readonly message: string; readonly field: string }[] {
  return conflicts.map((conflict) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(conflict)}`,
    field: conflict.field,
  }))
}

/** `"kubectl" with subresource "scale" using apps/v1`. */
function printManager({ manager, operation, apiVersion, subresource }: FieldConflict): string {
  const name = subresource === '' ? quote(manager) : `${quote(manager)} with subresource ${quote(subresource)}`
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}

function quote(text: string): string {
  return JSON.stringify(text)
}
