import { readFileSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Project } from '../../config/project.ts'
import { gvkOf } from '../../kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../kube/object.ts'
import { Operator } from '../../operator/operator.ts'
import { printYaml } from '../../yaml/print-yaml.ts'
import { AppliedObjects } from '../applied-objects.ts'
import { type Command, UsageError } from '../command.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { LOG_OPTIONS, PROJECT_OPTIONS } from '../options.ts'
import { readObjects } from '../read-objects.ts'
import { SandboxCluster } from '../sandbox-cluster.ts'
import { EXIT, type Terminal } from '../terminal.ts'

export const renderCommand: Command = {
  name: 'render',
  summary: 'print what the roles would apply for given objects',
  description:
    'Runs the operator once over the given objects in an API server in memory, without simulated controllers, and prints ' +
    'as YAML what it applies, and the resulting status of every given object. No cluster is touched.',
  arguments: '<files...>',
  options: [
    ...PROJECT_OPTIONS,
    { flags: '--marks', description: 'show the labels, annotations and owner references of the engine, too' },
    ...LOG_OPTIONS.map((option) => (option.flags.startsWith('--log-level') ? { ...option, default: 'warn' } : option)),
  ],
  examples: ['rolebook render roles/memcached/samples/memcached.yaml'],
  async run(invocation) {
    const { terminal, files } = invocation
    const given = files.flatMap((path) => readObjects(path, readText(path)))
    const project = await openProject(projectOptions(invocation), terminal)
    if (!project) return EXIT.usage
    const logger = newLogger(invocation, (text) => terminal.err(text))
    const cluster = await SandboxCluster.start({ clock: systemClock, logger, workloads: false, tls: false })
    try {
      const applied = new AppliedObjects(cluster.connection.client)
      await reconcileOnce(project, given, { cluster, applied, logger, terminal })
      terminal.out(printYaml([...applied.print(invocation.flag('marks')), ...(await statuses(cluster, given))]))
    } finally {
      await cluster.stop()
    }
    return EXIT.ok
  },
}

interface Tools {
  readonly cluster: SandboxCluster
  readonly applied: AppliedObjects
  readonly logger: ReturnType<typeof newLogger>
  readonly terminal: Terminal
}

/** The given objects are there before the operator starts; it works until nothing is left to do. */
async function reconcileOnce(project: Project, given: readonly KubeObject[], tools: Tools): Promise<void> {
  const { cluster, applied, logger } = tools
  for (const crd of project.crds) await cluster.install(crd)
  for (const object of given) await cluster.apply(object)
  const { mapper, openApi } = cluster.connection
  const options = { project, client: applied.client, mapper, openApi, clock: systemClock, logger, namespace: 'default' }
  const operator = new Operator(options)
  const stop = new AbortController()
  const running = operator.start(stop.signal)
  await operator.idle()
  stop.abort()
  await running
}

/** What became of the given objects, as much as a person wants to see of it. */
async function statuses(cluster: SandboxCluster, given: readonly KubeObject[]): Promise<readonly JsonValue[]> {
  const shown: JsonValue[] = []
  for (const object of given) {
    const key = { ...keyOf(object), namespace: object.metadata.namespace ?? 'default' }
    const live = await cluster.connection.client.get(gvkOf(object), key)
    if (live?.status === undefined) continue
    const { apiVersion, kind, status } = live
    shown.push({ apiVersion, kind, metadata: { name: key.name, namespace: key.namespace }, status })
  }
  return shown
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}`, { cause: error })
  }
}
