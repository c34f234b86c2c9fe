import process from 'node:process'
import { systemClock } from '../../../core/base/clock.ts'
import type { Terminal } from '../terminal.ts'
import { EXIT, type ExitCode } from '../terminal.ts'
import { isAlive, runningSession, type SessionRecord } from './session-record.ts'

const POLL_MS = 25
const PATIENCE_MS = 20_000

export interface SessionQuestion {
  readonly kubeconfig: string
  readonly output: string
  readonly terminal: Terminal
}

/** `rolebook sandbox status`: whether one runs, and where. */
export async function sessionStatus({ kubeconfig, output, terminal }: SessionQuestion): Promise<ExitCode> {
  const session = await runningSession(kubeconfig)
  if (output === 'json') terminal.out(`${JSON.stringify({ running: session !== undefined, ...session })}\n`)
  else terminal.out(session ? `${describeSession(session)}\n` : `No sandbox runs with ${kubeconfig}.\n`)
  return session ? EXIT.ok : EXIT.findings
}

/** `rolebook sandbox stop`: returns when it is gone. Nothing to stop is not a failure. */
export async function stopSession({ kubeconfig, terminal }: SessionQuestion): Promise<ExitCode> {
  const session = await runningSession(kubeconfig)
  if (!session) {
    terminal.err(`No sandbox runs with ${kubeconfig}.\n`)
    return EXIT.ok
  }
  process.kill(session.pid, 'SIGTERM')
  for (let waited = 0; isAlive(session.pid); waited += POLL_MS) {
    if (waited > PATIENCE_MS) throw new Error(`process ${session.pid} does not stop (end it: 'kill -9 ${session.pid}')`)
    await systemClock.sleep(POLL_MS)
  }
  return EXIT.ok
}

/** One line for programs. */
export function printSession({ url, kubeconfig, pid, ui }: SessionRecord): string {
  return `${JSON.stringify({ url, kubeconfig, pid, ui })}\n`
}

export function describeSession({ pid, url, kubeconfig, ui }: SessionRecord): string {
  const dashboard = ui === undefined ? '' : ` Its dashboard is at ${ui}.`
  return `The sandbox runs at ${url}, process ${pid}, kubeconfig ${kubeconfig}.${dashboard}`
}
