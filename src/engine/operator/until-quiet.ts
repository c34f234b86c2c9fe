import type { Informer } from '../runtime/informer.ts'
import type { InformerPool } from '../runtime/informer-pool.ts'
import type { ControllerForKind } from './controller-for-kind.ts'
import type { UnseenWrites } from './watching/unseen-writes.ts'

interface QuietOptions {
  readonly pool: InformerPool
  readonly unseen: UnseenWrites
  controllers(): readonly ControllerForKind[]
}

/** Rounds in a row without work. One is not enough, since a watch may be delivering the next change. */
const QUIET_ROUNDS = 3

/**
 * Resolves when all kinds are watched, all informers have their first list, the watches have delivered our writes, and nothing is queued or
 * running. Informers that fail are not waited for.
 */
export async function untilQuiet(options: QuietOptions): Promise<void> {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    await nextTurn()
    await Promise.all(options.controllers().map((controller) => controller.idle()))
    if (!isCaughtUp(options)) quiet = -1
  }
}

function isCaughtUp({ pool, unseen, controllers }: QuietOptions): boolean {
  if (!controllers().every(({ isWatching }) => isWatching)) return false
  const isListed = ({ isSynced, lastError }: Informer): boolean => isSynced || lastError !== undefined
  return [...pool.informers()].every(isListed) && unseen.areSeen()
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
