import { KubeConfig } from '@kubernetes/client-node'
import { ControlPlane } from '../../test/control-plane/control-plane.ts'
import { cpuSecondsOf, memoryMebibytesOf } from '../../test/support/process-usage.ts'
import { MeasuredServer } from './measured-server.ts'
import type { ServerUsage } from './server.ts'

/** etcd and kube-apiserver alone, with etcd's files in memory. What they use is the sum of both. */
export async function startRealServer(): Promise<MeasuredServer> {
  const plane = await ControlPlane.start()
  for (const name of ['kwok', 'kube-scheduler', 'kube-controller-manager'] as const) await plane.halt(name)
  const config = new KubeConfig()
  config.loadFromFile(plane.kubeconfig)
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()]
  const pids = [plane.pidOf('etcd'), plane.pidOf('kube-apiserver')]
  return new MeasuredServer({
    url: plane.url,
    tls: { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) },
    usage: async () => sumOf(pids.map(usageOf)),
    stop: () => plane.stop(),
  })
}

function decoded(data: string | undefined): string {
  return Buffer.from(data ?? '', 'base64').toString()
}

function usageOf(pid: number): ServerUsage {
  const rss = memoryMebibytesOf(pid) * 2 ** 20
  return { rss, used: rss, cpu: cpuSecondsOf(pid) }
}

function sumOf(usages: readonly ServerUsage[]): ServerUsage {
  const sum = (figure: keyof ServerUsage): number => usages.reduce((total, usage) => total + usage[figure], 0)
  return { rss: sum('rss'), used: sum('used'), cpu: sum('cpu') }
}
