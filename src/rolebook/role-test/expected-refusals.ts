import { isJsonArray, isJsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { TestCase } from './test-case.ts'

/** Whether a test expects that a resource is not ready: a sample may show what a role refuses. */
export function isExpectedToFail({ kind, metadata }: KubeObject, tests: readonly TestCase[]): boolean {
  const expected = tests.flatMap(({ steps }) => steps.flatMap((step) => step.expect))
  return expected.some(({ gvk, name, fields: { status } }) => {
    const conditions = isJsonObject(status) && isJsonArray(status.conditions) ? status.conditions : []
    return gvk.kind === kind && name === metadata.name && conditions.some(saysFailure)
  })
}

function saysFailure(condition: JsonValue): boolean {
  if (!isJsonObject(condition)) return false
  const { type, status } = condition
  return (type === 'Ready' && status === 'False') || (type === 'Stalled' && status === 'True')
}
