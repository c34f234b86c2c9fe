import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isJsonObject } from '../../../core/base/json.ts'

/** A sandbox that runs. */
export interface SessionRecord {
  readonly pid: number
  readonly url: string
  readonly kubeconfig: string
  /** Where the dashboard is. Absent: there is none. */
  readonly ui?: string | undefined
}

/** Beside the kubeconfig of a sandbox, for as long as it runs. */
const FILE = 'sandbox.json'

export function writeRecord(record: SessionRecord): void {
  writeFileSync(fileBeside(record.kubeconfig), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
}

/** Leaves the record of a sandbox alone that has taken over the kubeconfig since. */
export function removeRecord(record: SessionRecord): void {
  if (parseRecord(record.kubeconfig)?.pid === record.pid) rmSync(fileBeside(record.kubeconfig), { force: true })
}

/** The sandbox that wrote the kubeconfig; `undefined` when it is gone, however it ended. */
export async function runningSession(kubeconfig: string): Promise<SessionRecord | undefined> {
  const record = parseRecord(kubeconfig)
  if (!record || !isAlive(record.pid)) return undefined
  // The number of a process that is gone may be that of another by now.
  return (await answers(record.url)) ? record : undefined
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parseRecord(kubeconfig: string): SessionRecord | undefined {
  const path = fileBeside(kubeconfig)
  if (!existsSync(path)) return undefined
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonObject(content)) return undefined
    const { pid, url, ui } = content
    if (typeof pid !== 'number' || typeof url !== 'string') return undefined
    return { pid, url, kubeconfig, ...(typeof ui === 'string' && { ui }) }
  } catch {
    return undefined
  }
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const end = (result: boolean): void => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

function fileBeside(kubeconfig: string): string {
  return join(dirname(kubeconfig), FILE)
}
