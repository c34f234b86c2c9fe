/**
 * What an operator takes: memory and CPU of `rolebook run`, as it is released and with the flags of its Deployment, at rest with
 * nothing to do and with so many Memcacheds, each with a Deployment and two Pods. Limits of the Deployment are chosen by it.
 *
 *     npm run bench:footprint -- [COUNT ...]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { argv, execPath, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../src/core/base/clock.ts'
import { isJsonObject } from '../src/core/base/json.ts'
import { nopLogger } from '../src/core/base/logger.ts'
import { conditionsOf } from '../src/core/kube/condition.ts'
import { writeKubeconfig } from '../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../src/sandbox/cluster/sandbox-cluster.ts'
import { builtProgram } from '../test/support/built-program.ts'
import { cpuSecondsOf, memoryMebibytesOf } from '../test/support/process-usage.ts'
import { projectAt } from '../test/support/running-operator.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'

const MEMCACHED = { group: 'cache.example.com', version: 'v1', kind: 'Memcached' }
/** In which it has surely started, also where nothing shows it. */
const START_MS = 5_000
const REST_MS = 10_000
/** In which it has collected what its work left behind. */
const CALM_MS = 15_000
const counts = argv.length > 2 ? argv.slice(2).map(Number) : [0, 100, 1_000]

stdout.write('resources   RSS at rest MiB   RSS at most MiB   CPU s until ready   CPU at rest %\n')
for (const count of counts) await measure(count)

async function measure(count: number): Promise<void> {
  const folder = temporaryFolder()
  const sandbox = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
  const kubeconfig = join(folder.path, 'kubeconfig')
  writeKubeconfig(kubeconfig, sandbox.access)
  for (const crd of (await projectAt()).crds) await sandbox.install(crd)
  const operator = start(kubeconfig)
  const { pid = 0 } = operator
  try {
    await sleep(START_MS)
    const { client } = sandbox.connection
    for (let index = 0; index < count; index++) {
      const metadata = { name: `memcached-${index}`, namespace: 'default' }
      const resource = { apiVersion: 'cache.example.com/v1', kind: 'Memcached', metadata, spec: { size: 2 } }
      await client.create(resource, { fieldManager: 'bench' })
    }
    while (readyIn(sandbox) < count) await sleep(200)
    const working = cpuSecondsOf(pid)
    await sleep(CALM_MS)
    const calm = cpuSecondsOf(pid)
    await sleep(REST_MS)
    const atRest = ((cpuSecondsOf(pid) - calm) / REST_MS) * 1000 * 100
    const cells = [
      ...[memoryMebibytesOf(pid), memoryMebibytesOf(pid, 'peak')].map(Math.round),
      working.toFixed(1),
      atRest.toFixed(1),
    ]
    stdout.write(`${[count, ...cells].map((cell) => String(cell).padStart(9)).join('         ')}\n`)
  } finally {
    operator.kill('SIGTERM')
    await once(operator, 'exit')
    await sandbox.stop()
    folder.remove()
  }
}

function start(kubeconfig: string): ChildProcess {
  const seen = ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0']
  const args = [join(builtProgram(), 'rolebook.mjs'), 'run', '--kubeconfig', kubeconfig, '--log-format=json', ...seen]
  return spawn(execPath, args, { stdio: 'ignore', env: { POD_NAMESPACE: 'default' } })
}

function readyIn({ objects }: SandboxCluster): number {
  const isReady = (object: Parameters<typeof conditionsOf>[0]): boolean =>
    isJsonObject(object.status) &&
    conditionsOf(object).some(({ type, status }) => type === 'Ready' && status === 'True')
  return objects.list(MEMCACHED).filter(isReady).length
}
