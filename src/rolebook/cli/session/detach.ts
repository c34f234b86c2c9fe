import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../../../core/base/clock.ts'
import { runningSession, type SessionRecord } from './session-record.ts'

const POLL_MS = 25

/**
 * Starts this command once more, in the background and without `--detach`, and returns when it is ready.
 *
 * @throws Error with what it said when it ends before that
 */
export async function startDetached(kubeconfig: string): Promise<SessionRecord> {
  const former = await runningSession(kubeconfig)
  if (former) {
    throw new Error(`cannot start a sandbox: process ${former.pid} is one already (stop it: 'rolebook sandbox stop')`)
  }
  mkdirSync(dirname(kubeconfig), { recursive: true })
  const log = join(dirname(kubeconfig), 'sandbox.log')
  const child = spawnInBackground(log)
  const session = await untilReady(child, kubeconfig)
  if (!session) throw new Error(`the sandbox ended before it was ready: ${readFileSync(log, 'utf8').trim()}`)
  child.unref()
  return session
}

function spawnInBackground(log: string): ChildProcess {
  const [, program = '', ...args] = process.argv
  const output = openSync(log, 'w', 0o600)
  const again = [...process.execArgv, program, ...args.filter((arg) => arg !== '--detach')]
  const child = spawn(process.execPath, again, { detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  return child
}

/** `undefined` when it has ended. */
async function untilReady(child: ChildProcess, kubeconfig: string): Promise<SessionRecord | undefined> {
  let isOver = false
  child.once('error', () => (isOver = true))
  child.once('exit', () => (isOver = true))
  while (!isOver) {
    const session = await runningSession(kubeconfig)
    if (session?.pid === child.pid) return session
    await systemClock.sleep(POLL_MS)
  }
  return undefined
}
