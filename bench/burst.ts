/**
 * What a burst costs the operator: CPU and memory of `rolebook run`, as it is released, while it converges so many new widgets (the
 * work of `bench --cluster`) in the sandbox, which is a process of its own. It needs no Go and half a minute, so two programs are
 * compared by turns, as the folders of two builds:
 *
 *     npm run bench:burst -- [--resources 1000] [--rounds 3] [FOLDER ...]
 *
 * Times of one run say little on a busy machine: compare within one run. `BENCH_NODE_OPTIONS` goes to Node, such as `--cpu-prof`.
 */
import { join } from 'node:path'
import { argv, env, execPath, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeKubeconfig } from '../src/sandbox/cluster/kubeconfig.ts'
import { Watchdog } from '../test/control-plane/watchdog.ts'
import { builtProgram } from '../test/support/built-program.ts'
import { installCrd } from '../test/support/install-crd.ts'
import { type TemporaryFolder, temporaryFolder } from '../test/support/temporary-folder.ts'
import { type Command, ContestantProcess } from './cluster/contestant-process.ts'
import { Observer } from './cluster/observer.ts'
import { writeProject } from './cluster/rolebook-project.ts'
import { NAMESPACE, type Workload, widget, widgetCrd } from './cluster/workload.ts'
import { inParallel } from './in-parallel.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { median } from './statistics.ts'

const REQUESTS_IN_FLIGHT = 16
/** In which the program has surely begun: after it, the program is waited for until it is quiet. */
const START_MS = 5_000
const MANAGER = { fieldManager: 'bench' }

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  options: { resources: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const workload: Workload = { resources: Number(values.resources), kinds: 1, objects: 3 }
const programs = positionals.length > 0 ? positionals : [builtProgram()]
const figures = new Map<string, Figures[]>(programs.map((program) => [program, []]))

interface Figures {
  readonly seconds: number
  /** Milliseconds a resource. */
  readonly cpu: number
  /** MiB, after the start, after the burst, and at most. */
  readonly start: number
  readonly after: number
  readonly peak: number
}

for (let round = 0; round < Number(values.rounds); round++) {
  for (const program of programs) figures.get(program)?.push(await onNewServer((server) => measure(server, program)))
}
report()

async function onNewServer(work: (server: ServerProcess) => Promise<Figures>): Promise<Figures> {
  const server = await startServer()
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function measure({ access, connection }: ServerProcess, program: string): Promise<Figures> {
  const { client } = connection
  const folder = temporaryFolder()
  const watchdog = new Watchdog(folder.path)
  await installCrd(connection, widgetCrd('Widget'))
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, MANAGER)
  const observer = await Observer.start(client, workload)
  writeKubeconfig(folder.at('kubeconfig'), access)
  const operator = new ContestantProcess(commandFor(program, folder), folder.at('log'), watchdog)
  const createAll = (): Promise<void> =>
    inParallel(workload.resources, (index) => client.create(widget(workload, index, 0), MANAGER), REQUESTS_IN_FLIGHT)
  try {
    await sleep(START_MS)
    await operator.untilQuiet()
    return await measureBurst(operator, observer, createAll)
  } finally {
    observer.stop()
    await operator.stop()
    watchdog.stop()
    folder.remove()
  }
}

function commandFor(program: string, folder: TemporaryFolder): Command {
  const files = ['--watches-file', writeProject(folder, workload), '--roles-path', folder.at('roles')]
  const args = [join(program, 'rolebook.mjs'), 'run', '--kubeconfig', folder.at('kubeconfig'), ...files]
  return { path: execPath, args: [...(env.BENCH_NODE_OPTIONS?.split(' ') ?? []), ...args] }
}

async function measureBurst(
  operator: ContestantProcess,
  observer: Observer,
  createAll: () => Promise<void>,
): Promise<Figures> {
  const [cpu, start, startedAt] = [operator.cpuSeconds(), operator.memoryMebibytes('now'), performance.now()]
  await createAll()
  const doneAt = await operator.during(observer.converged())
  await operator.untilQuiet()
  return {
    seconds: (doneAt - startedAt) / 1000,
    cpu: ((operator.cpuSeconds() - cpu) * 1000) / workload.resources,
    start,
    after: operator.memoryMebibytes('now'),
    peak: operator.memoryMebibytes('peak'),
  }
}

function report(): void {
  stdout.write(`${workload.resources} widgets, ${values.rounds} rounds, medians (least to most)\n`)
  for (const [program, rounds] of figures) {
    const spread = (which: keyof Figures, digits: number): string => {
      const all = rounds.map((one) => one[which])
      const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((one) => one.toFixed(digits))
      return `${middle} (${least} to ${most})`
    }
    stdout.write(`${program}\n`)
    stdout.write(`  CPU ms a resource  ${spread('cpu', 2)}\n`)
    stdout.write(`  seconds            ${spread('seconds', 1)}\n`)
    stdout.write(`  RSS MiB at start   ${spread('start', 0)}\n`)
    stdout.write(`  after the burst    ${spread('after', 0)}\n`)
    stdout.write(`  at most            ${spread('peak', 0)}\n`)
  }
}
