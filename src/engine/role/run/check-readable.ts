import { isCut, MOST_LEVELS } from '../../../core/kube/nesting.ts'
import { formatObject, type KubeObject } from '../../../core/kube/object.ts'
import { TaskFailure } from '../task-outcome.ts'

/**
 * Called before expressions see objects: they would take content that was left out for content that is not there.
 *
 * @throws TaskFailure `ExpressionLimit` when an object is nested so deeply that its content was left out
 */
export function checkReadable(objects: readonly KubeObject[]): void {
  const cut = objects.find(isCut)
  if (!cut) return
  const message = `cannot read ${formatObject(cut)}: it is nested more than ${MOST_LEVELS} levels deep`
  throw new TaskFailure('ExpressionLimit', message)
}
