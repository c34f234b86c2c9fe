import { type Clock, sleepOn, systemClock } from '../../src/core/base/clock.ts'

/** So many times as fast as the machine's. */
export function fastClock(times: number): Clock {
  const schedule = (milliseconds: number, callback: () => void): (() => void) =>
    systemClock.schedule(milliseconds / times, callback)
  return { ...systemClock, schedule, sleep: (milliseconds, signal) => sleepOn({ schedule }, milliseconds, signal) }
}
