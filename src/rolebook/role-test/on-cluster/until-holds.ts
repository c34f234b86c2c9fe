import type { Clock } from '../../../core/base/clock.ts'

export interface Patience {
  readonly clock: Clock
  /** Milliseconds. */
  readonly patience: number
  /** Defaults to one that never aborts. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds between two looks at a cluster. */
const LOOK_EVERY = 200

/** Asks again and again. False: it does not hold in time. Rejects with the signal's reason. */
export async function untilHolds(
  holds: () => Promise<boolean>,
  { clock, patience, signal }: Patience,
): Promise<boolean> {
  const end = clock.monotonic() + patience
  for (;;) {
    signal?.throwIfAborted()
    if (await holds()) return true
    if (clock.monotonic() >= end) return false
    await clock.sleep(LOOK_EVERY, signal)
  }
}
