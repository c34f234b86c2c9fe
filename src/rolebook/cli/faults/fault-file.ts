import { type FSWatcher, watch } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../../../core/base/clock.ts'
import { diagnosticOf } from '../../../core/yaml/diagnostic.ts'
import type { FaultPlan } from '../../../sandbox/apiserver/faults/fault-plan.ts'
import { readTextFile } from '../../config/read-text-file.ts'
import { type ParsedFaults, parseFaults } from './parse-faults.ts'

/** The plan in a file, or what is wrong with it. */
export async function loadFaults(path: string): Promise<ParsedFaults> {
  const folder = await realpath(dirname(path)).catch(() => undefined)
  if (folder === undefined) {
    return { diagnostics: [diagnosticOf(path, { code: 'RB1301', message: 'there is no such file or folder' })] }
  }
  const file = await readTextFile(path, folder)
  return file.source ? parseFaults(file.source) : { diagnostics: [file.problem] }
}

export interface FollowOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The plan that is in use. */
  readonly known: FaultPlan
  readonly onPlan: (plan: FaultPlan) => void
  /** Called when the file cannot be used. The last good plan stays in effect. */
  readonly onProblem: (problems: ParsedFaults) => void
}

/** Milliseconds without a further change before the file is read. */
const QUIET_PERIOD = 100

/** Reads the file again whenever it is saved, until the signal aborts. */
export function followFaults(path: string, { clock, signal, onPlan, onProblem, ...rest }: FollowOptions): void {
  let cancel: (() => void) | undefined
  let known = JSON.stringify(rest.known)
  const read = async (): Promise<void> => {
    const loaded = await loadFaults(path)
    const content = JSON.stringify(loaded.plan ?? loaded.diagnostics.map(({ message }) => message))
    // Other files in the folder change, too.
    if (signal.aborted || content === known) return
    known = content
    if (loaded.plan) onPlan(loaded.plan)
    else onProblem(loaded)
  }
  // One read after the other, so that an older plan is never reported after a newer one.
  let reading = Promise.resolve()
  const readNext = (): void => {
    reading = reading.then(read)
  }
  // The folder, because many editors save by putting a new file in the place of the old one.
  const watcher: FSWatcher = watch(dirname(path), { persistent: false }, () => {
    cancel?.()
    cancel = clock.schedule(QUIET_PERIOD, readNext)
  })
  watcher.on('error', () => watcher.close())
  signal.addEventListener('abort', () => {
    cancel?.()
    watcher.close()
  })
}
