import process from 'node:process'
import { backgroundClock } from '../../../core/base/clock.ts'

const POLL_MS = 500

/**
 * Aborts with `stopped`, or once the process that started this one is gone. A test that is killed stops nothing, and its
 * servers would go on for ever.
 */
export function stopWithParent(stopped: AbortSignal): AbortSignal {
  const orphaned = new AbortController()
  const first = process.ppid
  const watch = async (): Promise<void> => {
    // The parent of an orphan is another process, such as init.
    while (!stopped.aborted && process.ppid === first) await backgroundClock.sleep(POLL_MS, stopped)
    orphaned.abort()
  }
  void watch()
  return orphaned.signal
}
