import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid } from '../common/field-errors.ts'
import { textAt } from '../common/fields.ts'
import { readIndexes } from './indexes.ts'

/** `completedIndexes` and `failedIndexes` of a Job, where they have changed: each index has come to one end. */
export function validateIndexes(spec: JsonObject, status: JsonObject, old: JsonObject): FieldErrors {
  const isChanged = (name: string): boolean => !jsonEquals(status[name], old[name])
  const [completedChanged, failedChanged] = [isChanged('completedIndexes'), isChanged('failedIndexes')]
  const { backoffLimitPerIndex } = spec
  const [completed, failed] = [textAt(status, 'completedIndexes'), status.failedIndexes]
  const isSingle = spec.completionMode !== 'Indexed'
  const single = 'cannot set non-empty completedIndexes when non-indexed completion mode'
  const together = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
  return [
    ...(completedChanged ? validateFormat(spec, completed, 'completedIndexes') : []),
    ...(failedChanged && backoffLimitPerIndex !== undefined && typeof failed === 'string'
      ? validateFormat(spec, failed, 'failedIndexes')
      : []),
    ...(completedChanged && completed !== '' && isSingle
      ? [invalid('status.completedIndexes', completed, single)]
      : []),
    ...(failedChanged && backoffLimitPerIndex === undefined && failed !== undefined
      ? [invalid('status.failedIndexes', failed, together)]
      : []),
    ...((completedChanged || failedChanged) && typeof failed === 'string'
      ? validateApart(spec, { completed, failed })
      : []),
  ]
}

function validateFormat({ completions }: JsonObject, indexes: string, name: string): FieldErrors {
  if (typeof completions !== 'number') return []
  const read = readIndexes(indexes, completions)
  return typeof read === 'string' ? [invalid(`status.${name}`, indexes, `error parsing ${name}: ${read}`)] : []
}

function validateApart(
  { completions }: JsonObject,
  { completed, failed }: { readonly completed: string; readonly failed: string },
): FieldErrors {
  if (typeof completions !== 'number') return []
  const [done, lost] = [readIndexes(completed, completions), readIndexes(failed, completions)]
  if (typeof done === 'string' || typeof lost === 'string') return []
  const overlap = lost.flatMap(([from, to]) =>
    done.filter(([first, last]) => first <= to && from <= last).map(([first]) => Math.max(first, from)),
  )
  const [index] = overlap
  if (index === undefined) return []
  return [invalid('status.failedIndexes', failed, `failedIndexes and completedIndexes overlap at index: ${index}`)]
}
