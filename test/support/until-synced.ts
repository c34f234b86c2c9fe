import type { Informer } from '../../src/engine/runtime/informer.ts'

/** Resolves when the cache of an informer has been filled for the first time. */
export async function untilSynced(informer: Informer): Promise<void> {
  if (informer.isSynced) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = informer.onProgress(resolve)
  await promise
  stop()
}
