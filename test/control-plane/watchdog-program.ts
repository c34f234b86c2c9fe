/** Run by `Watchdog`: reads `+pid` and `-pid` until its input ends, then kills the processes that are left and removes the folder. */
import { rmSync } from 'node:fs'
import { argv, kill, stdin } from 'node:process'
import { createInterface } from 'node:readline'

const [, , folder = ''] = argv
const guarded = new Set<number>()
for await (const line of createInterface({ input: stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) guarded.add(pid)
  else guarded.delete(pid)
}
for (const pid of guarded) {
  try {
    kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
rmSync(folder, { recursive: true, force: true })
