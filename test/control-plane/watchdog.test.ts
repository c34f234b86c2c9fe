import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'

const WATCHDOG = JSON.stringify(join(import.meta.dirname, 'watchdog.ts'))

/** Starts a guarded process that would never end and shares its output, and says when it has. */
const PARENT = `
  import { spawn } from 'node:child_process'
  const { Watchdog } = await import(${WATCHDOG})
  const watchdog = new Watchdog(process.argv[1])
  const start = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'] })
  const [lasting, released] = [start(), start()]
  watchdog.guard(lasting.pid)
  watchdog.guard(released.pid)
  released.once('close', () => {
    watchdog.release(released.pid)
    process.stdout.write('ready')
  })
  released.kill()
`

describe('The children of a control plane', () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    it(`end with their parent when it is ended by ${signal}`, async function () {
      this.timeout(60_000)
      const folder = mkdtempSync(join(tmpdir(), 'rolebook-watchdog-'))
      const parent = spawn(execPath, ['--input-type=module', '-e', PARENT, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(parent.stdout, 'data')
      expect(existsSync(folder)).to.equal(true)
      parent.kill(signal)
      // The output is closed once neither the parent nor one of its children holds it.
      await once(parent, 'close')
    })
  }
})
