import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { printKubeconfig, type ServerAccess } from '../../src/sandbox/cluster/kubeconfig.ts'
import { installCrd } from '../../test/support/install-crd.ts'
import { cpuSecondsOf } from '../../test/support/process-usage.ts'
import type { TemporaryFolder } from '../../test/support/temporary-folder.ts'
import { NAMESPACE, widgetCrd } from '../cluster/workload.ts'
import type { RequestCounts } from './request-counts.ts'

/** The sandbox's API server in a process of its own, with the kind of the workload. */
export class SharedServer {
  readonly connection: Connection
  readonly kubeconfig: string
  readonly #child: ChildProcess

  static async start(folder: TemporaryFolder): Promise<SharedServer> {
    const child = fork(join(import.meta.dirname, 'server.ts'), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [server] = (await once(child, 'message')) as [ServerAccess]
    const connection = await connect({ server, clock: systemClock, logger: nopLogger, userAgent: 'bench' })
    await installCrd(connection, widgetCrd('Widget'))
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
    await connection.client.create(namespace, { fieldManager: 'bench' })
    return new SharedServer(child, connection, folder.write('kubeconfig', printKubeconfig(server)))
  }

  private constructor(child: ChildProcess, connection: Connection, kubeconfig: string) {
    this.#child = child
    this.connection = connection
    this.kubeconfig = kubeconfig
  }

  get cpuSeconds(): number {
    return cpuSecondsOf(this.#child.pid ?? 0)
  }

  async counts(): Promise<RequestCounts> {
    const answer = once(this.#child, 'message')
    this.#child.send('counts')
    const [{ counts }] = (await answer) as [{ readonly counts: RequestCounts }]
    return counts
  }

  async stop(): Promise<void> {
    await this.connection.close()
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
