/** Time as a port: the only place that touches wall time and timers. Tests pass a fake one. */
export interface Clock {
  /** Milliseconds since 1970: for timestamps that people or other programs read. */
  now(): number
  /** Milliseconds that never go back: for deadlines and durations. */
  monotonic(): number
  /** Runs `callback` once after `milliseconds`; the function returned takes that back. */
  schedule(milliseconds: number, callback: () => void): () => void
  /** Resolves after `milliseconds`, or at once (without error) when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** `sleep` in terms of `schedule`, for implementations of a clock. */
export function sleepOn(clock: Pick<Clock, 'schedule'>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.schedule(milliseconds, finish)
    signal?.addEventListener('abort', finish, { once: true })
  })
}

/** The clock of the machine. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (milliseconds, callback) => scheduleOn(setTimeout, milliseconds, callback),
  sleep: (milliseconds, signal) => sleepOn(systemClock, milliseconds, signal),
}

/** The same, with timers that do not keep the process alive. */
export const backgroundClock: Clock = {
  ...systemClock,
  schedule: (milliseconds, callback) => scheduleOn((...args) => setTimeout(...args).unref(), milliseconds, callback),
  sleep: (milliseconds, signal) => sleepOn(backgroundClock, milliseconds, signal),
}

type StartTimer = (callback: () => void, milliseconds: number) => NodeJS.Timeout

/** A timer of the platform counts to here; one that is set for longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

function scheduleOn(startTimer: StartTimer, milliseconds: number, callback: () => void): () => void {
  if (milliseconds > LONGEST_TIMER) return scheduleInParts(startTimer, milliseconds, callback)
  const timer = startTimer(callback, milliseconds)
  return () => clearTimeout(timer)
}

/** Waits for longer than one timer can by one after the other. */
function scheduleInParts(startTimer: StartTimer, milliseconds: number, callback: () => void): () => void {
  let cancel = scheduleOn(startTimer, LONGEST_TIMER, () => {
    cancel = scheduleOn(startTimer, milliseconds - LONGEST_TIMER, callback)
  })
  return () => cancel()
}
