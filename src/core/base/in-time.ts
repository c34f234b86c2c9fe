import type { Clock } from './clock.ts'

export interface TimeLimit {
  readonly clock: Clock
  /** On the monotonic clock. */
  readonly end: number
  /** Of the caller that waits. Defaults to one that never aborts. */
  readonly signal?: AbortSignal | undefined
  /** What to throw at the end. */
  readonly tooLate: () => Error
}

/** What `pending` comes to, unless time is over or `signal` aborts before: then it goes on, and its result is dropped. */
export function inTime<T>(pending: Promise<T>, { clock, end, signal, tooLate }: TimeLimit): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const giveUp = (): void => reject(signal?.reason)
  const cancel = clock.schedule(Math.max(0, end - clock.monotonic()), () => reject(tooLate()))
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  pending.then((value) => (clock.monotonic() < end ? resolve(value) : reject(tooLate())), reject)
  return promise.finally(() => {
    cancel()
    signal?.removeEventListener('abort', giveUp)
  })
}
