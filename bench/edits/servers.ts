import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { ControlPlane } from '../../test/control-plane/control-plane.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { startServer } from '../server-process.ts'

/** A server for one measurement. */
export interface EditServer {
  readonly connection: Connection
  /** For the operator. */
  readonly kubeconfig: string
  stop(): Promise<void>
}

/** In a process of its own, so that it does not share the operator's. */
export async function openSandbox(): Promise<EditServer> {
  const { access, connection, stop } = await startServer()
  const folder = temporaryFolder()
  const kubeconfig = folder.at('kubeconfig')
  writeKubeconfig(kubeconfig, access)
  return {
    connection,
    kubeconfig,
    async stop() {
      await stop()
      folder.remove()
    },
  }
}

/** etcd and kube-apiserver; the controllers of Kubernetes are stopped. */
export async function openControlPlane(): Promise<EditServer> {
  const plane = await ControlPlane.start()
  const { kubeconfig } = plane
  const parts = { clock: systemClock, logger: nopLogger, userAgent: 'rolebook-bench' }
  const connection = await connect({ ...parts, kubeconfig })
  for (const name of ['kwok', 'kube-scheduler', 'kube-controller-manager'] as const) await plane.halt(name)
  return {
    connection,
    kubeconfig,
    async stop() {
      await connection.close()
      await plane.stop()
    },
  }
}
