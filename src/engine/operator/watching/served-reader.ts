import type { Clock } from '../../../core/base/clock.ts'
import { orAborted } from '../../../core/base/or-aborted.ts'
import type { Reader } from '../../../core/kube/client.ts'
import { formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import { isNotServed, isServed, LOOK_EVERY } from './unserved-kinds.ts'

export interface ServedReaderOptions {
  readonly mapper: ResourceMapper
  readonly clock: Clock
}

/**
 * A reader for one informer. After a kind was not served, the next request for it waits until discovery shows the kind. Without that, an
 * informer would fail again and again and wait longer each time.
 */
export function servedReader(reader: Reader, { mapper, clock }: ServedReaderOptions): Reader {
  const missing = new Set<string>()
  const untilServed = async (gvk: Gvk, signal: AbortSignal | undefined): Promise<void> => {
    const name = formatGvk(gvk)
    while (missing.has(name) && !signal?.aborted) {
      if (await orAborted(isServed(mapper, gvk), signal)) missing.delete(name)
      else await clock.sleep(LOOK_EVERY, signal)
    }
    signal?.throwIfAborted()
  }
  const noticed = (gvk: Gvk, error: unknown): unknown => {
    if (isNotServed(error)) missing.add(formatGvk(gvk))
    return error
  }
  return {
    get: (gvk, key, options) => reader.get(gvk, key, options),
    list: async (gvk, options) => {
      await untilServed(gvk, options?.signal)
      try {
        return await reader.list(gvk, options)
      } catch (error) {
        throw noticed(gvk, error)
      }
    },
    watch: async function* (gvk, options) {
      await untilServed(gvk, options.signal)
      try {
        yield* reader.watch(gvk, options)
      } catch (error) {
        throw noticed(gvk, error)
      }
    },
  }
}
