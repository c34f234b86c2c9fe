import { isConflict } from '../kube/api-error.ts'
import type { KubeClient } from '../kube/client.ts'
import { formatObject, type KubeObject, keyOf } from '../kube/object.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { attempt } from './request-failure.ts'

interface DeleteSeenOptions {
  readonly mapping: ResourceMapping
  /** `Foreground`: the object stays until what depends on it is gone. Defaults to `Background`. */
  readonly propagation?: 'Background' | 'Foreground' | undefined
  readonly signal: AbortSignal
}

/**
 * Deletes an object as it was seen, by uid and resourceVersion: nothing goes that has changed since. Resolves to the answer of the
 * server, `undefined` when the object was gone already.
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
    const message = `${formatObject(seen)} changed while it was removed`
    throw new TaskFailure('Failed', message, { retriable: true, cause: error })
  }
}
