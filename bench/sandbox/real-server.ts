import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import { ControlPlane } from '../../test/control-plane/control-plane.ts'
import { MeasuredServer } from './measured-server.ts'
import type { ServerUsage } from './server.ts'

/** Of Linux, for the times in /proc. */
const TICKS_A_SECOND = 100

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
  // Behind the name of the program, which may have blanks: fields 14 and 15 are its time in user and in system mode.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number) as [number, number]
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  const rss = kilobytes * 1024
  return { rss, used: rss, cpu: (user + system) / TICKS_A_SECOND }
}

function sumOf(usages: readonly ServerUsage[]): ServerUsage {
  const sum = (figure: keyof ServerUsage): number => usages.reduce((total, usage) => total + usage[figure], 0)
  return { rss: sum('rss'), used: sum('used'), cpu: sum('cpu') }
}
