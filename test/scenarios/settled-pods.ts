import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'

const PATIENCE_MS = 240_000
const PAUSE_MS = 50

/**
 * The pods, once there are as many as wanted, none is on its way out, and `holds` agrees.
 *
 * Controllers of a real cluster make and remove pods for a while, in an order of their own: no single event says that
 * they are done, so this looks again and again.
 */
export async function settledPods(
  cluster: ClusterDriver,
  count: number,
  options: { readonly labels?: string; readonly holds?: (names: readonly string[]) => Promise<boolean> } = {},
): Promise<readonly KubeObject[]> {
  const { labels, holds = async () => true } = options
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const pods = await cluster.list(KIND.pod, labels)
    const names = pods.map(({ metadata }) => metadata.name ?? '').sort()
    const stays = pods.every(({ metadata }) => metadata.deletionTimestamp === undefined)
    if (pods.length === count && stays && (await holds(names))) return pods
    if (performance.now() > end) throw new Error(`${count} pods never settled; there are ${names.join(', ') || 'none'}`)
  }
}
