import { watch } from 'node:fs'
import { systemClock } from '../../core/base/clock.ts'
import { untilAborted } from '../../core/base/until-aborted.ts'
import { EXIT, type ExitCode } from './terminal.ts'

export interface FollowFoldersOptions {
  readonly signal: AbortSignal
  /** Never called twice at a time. */
  onChange(): Promise<unknown>
}

/** Milliseconds without a further change before a change is reported. */
const QUIET_PERIOD = 100

/** Reports changes below folders, or of files, until the signal aborts. */
export async function followFolders(
  paths: readonly string[],
  { signal, onChange }: FollowFoldersOptions,
): Promise<ExitCode> {
  let changed = (): void => undefined
  const watchers = paths.map((path) => watch(path, { recursive: true }, () => changed()))
  const stopped = untilAborted(signal)
  while (!signal.aborted) {
    const change = new Promise<void>((resolve) => {
      changed = resolve
    })
    await Promise.race([change, stopped])
    await systemClock.sleep(QUIET_PERIOD, signal)
    if (!signal.aborted) await onChange()
  }
  for (const watcher of watchers) watcher.close()
  return EXIT.ok
}
