import { isConflict } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { attempt } from '../apply/request-failure.ts'

interface DeleteSeenOptions {
  readonly mapping: ResourceMapping
  /** `Foreground`: the object stays until its dependents are gone. Defaults to `Background`. */
  readonly propagation?: 'Background' | 'Foreground' | undefined
  readonly signal: AbortSignal
}

/**
 * Deletes an object by uid and resourceVersion, so that an object that has changed since is not deleted. Resolves to the answer of the
 * server, or to `undefined` if the object was gone already.
 *
 * @throws TaskFailure when it has changed
 */
export async function deleteSeen(
  client: KubeClient,
  seen: KubeObject,
  { mapping, propagation = 'Background', signal }: DeleteSeenOptions,
): Promise<KubeObject | undefined> {
  const key = keyOf(seen)
  const { uid, resourceVersion } = seen.metadata
  const options = { uid, resourceVersion, propagationPolicy: propagation, signal }
  try {
    return await attempt({ verb: 'delete', mapping, key }, () => client.delete(mapping.gvk, key, options))
  } catch (error) {
    if (!isConflict(error)) throw error
    const message = `cannot remove ${formatObject(seen)}: it changed meanwhile`
    throw new TaskFailure('Failed', message, { retriable: true, cause: error })
  }
}
