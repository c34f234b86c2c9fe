import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../core/base/clock.ts'
import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { AdminServer } from '../../engine/runtime/admin-server.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'

/** Where a sandbox writes its kubeconfig by default. */
export const SANDBOX_KUBECONFIG = '.rolebook/kubeconfig'

export interface LocalOperatorOptions {
  /** The file that says where the operator is asked: of `recordOfSandbox` or `recordOfRun`. */
  readonly record: string
  /** Of the API server. */
  readonly serverUrl: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Beside the kubeconfig of a sandbox, for as long as it runs. */
export function recordOfSandbox(kubeconfig: string): string {
  return join(dirname(kubeconfig), 'operator.json')
}

/** In the folder of a project, for as long as `rolebook run` works there outside a cluster. */
export function recordOfRun(watchesFile: string): string {
  return join(dirname(watchesFile), '.rolebook/run.json')
}

/** Lets an operator of this machine be asked what it did, on loopback, as long as it runs. */
export async function openToQuestions(
  route: AdminRoute,
  { record, serverUrl, clock, logger }: LocalOperatorOptions,
): Promise<Runnable> {
  const address = { host: '127.0.0.1', port: 0 }
  const server = new AdminServer({ name: 'explain', address, routes: [route], clock, logger })
  await server.listen()
  const { url } = server
  try {
    mkdirSync(dirname(record), { recursive: true })
    writeFileSync(record, `${JSON.stringify({ server: serverUrl, operator: url }, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    await server.close()
    throw error
  }
  return {
    name: 'answers to explain',
    async start(signal) {
      await server.start(signal)
      // Another operator of the folder may have taken it over.
      if (parseRecord(record)?.operator === url) rmSync(record, { force: true })
    },
  }
}

/** Whether a sandbox that runs has written the kubeconfig. */
export function isSandboxOf(kubeconfig: string): boolean {
  return existsSync(recordOfSandbox(kubeconfig))
}

/** The address of the operator that the first of the records names for this server; `undefined` when none does. */
export function localOperatorOf(records: readonly string[], serverUrl: string): string | undefined {
  const found = records.map(parseRecord).find((record) => record?.server === serverUrl)
  return typeof found?.operator === 'string' ? found.operator : undefined
}

function parseRecord(path: string): JsonObject | undefined {
  if (!existsSync(path)) return undefined
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(content) ? content : undefined
  } catch {
    return undefined
  }
}
