import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock } from '../src/core/base/clock.ts'
import { nopLogger } from '../src/core/base/logger.ts'
import { type Connection, connect } from '../src/core/kube-client/connect.ts'
import type { ServerAccess } from '../src/sandbox/cluster/kubeconfig.ts'

export interface ServerProcess {
  /** For a program that is to connect to it. */
  readonly access: ServerAccess
  readonly connection: Connection
  stop(): Promise<void>
}

/** Starts the sandbox's API server in a process of its own, with the CRDs of this project. */
export async function startServer(): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [server] = (await once(child, 'message')) as [ServerAccess]
  const connection = await connect({ server, clock: systemClock, logger: nopLogger, userAgent: 'rolebook-bench' })
  return {
    access: server,
    connection,
    async stop() {
      await connection.close()
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
