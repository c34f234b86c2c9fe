import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../core/base/clock.ts'
import { isJsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { AdminServer } from '../../engine/runtime/admin-server.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'

/** Where a sandbox writes its kubeconfig by default. */
export const SANDBOX_KUBECONFIG = '.rolebook/kubeconfig'

/** Beside the kubeconfig of a sandbox: where its operator is asked what it did. */
const FILE = 'operator.json'

export interface SandboxOperatorOptions {
  readonly kubeconfig: string
  /** Of the API server. */
  readonly serverUrl: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Lets the operator of a sandbox be asked what it did, on loopback, as long as it runs. */
export async function openToQuestions(
  route: AdminRoute,
  { kubeconfig, serverUrl, clock, logger }: SandboxOperatorOptions,
): Promise<Runnable> {
  const address = { host: '127.0.0.1', port: 0 }
  const server = new AdminServer({ name: 'explain', address, routes: [route], clock, logger })
  await server.listen()
  const path = fileBeside(kubeconfig)
  writeFileSync(path, `${JSON.stringify({ server: serverUrl, operator: server.url }, null, 2)}\n`, { mode: 0o600 })
  return {
    name: 'sandbox operator',
    async start(signal) {
      await server.start(signal)
      rmSync(path, { force: true })
    },
  }
}

/** Whether a sandbox that runs has written the kubeconfig. */
export function isSandboxOf(kubeconfig: string): boolean {
  return existsSync(fileBeside(kubeconfig))
}

/** The address of the operator whose sandbox wrote the kubeconfig and is the server; `undefined` for any other cluster. */
export function sandboxOperatorOf(kubeconfig: string | undefined, serverUrl: string): string | undefined {
  if (kubeconfig === undefined || !existsSync(fileBeside(kubeconfig))) return undefined
  try {
    const content: unknown = JSON.parse(readFileSync(fileBeside(kubeconfig), 'utf8'))
    if (!isJsonObject(content) || content.server !== serverUrl) return undefined
    return typeof content.operator === 'string' ? content.operator : undefined
  } catch {
    return undefined
  }
}

function fileBeside(kubeconfig: string): string {
  return join(dirname(kubeconfig), FILE)
}
