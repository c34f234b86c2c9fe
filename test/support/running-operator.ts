import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { SandboxCluster, type SandboxOptions } from '../../src/cli/sandbox-cluster.ts'
import { loadProject } from '../../src/config/load-project.ts'
import type { Project } from '../../src/config/project.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { Operator, type OperatorOptions } from '../../src/operator/operator.ts'
import { builtinTaskKinds } from '../../src/tasks/builtin-task-kinds.ts'

/** The project of this repository, or the one at other paths. */
export async function projectAt(paths = { watchesFile: 'watches.yaml', rolesPath: 'roles' }): Promise<Project> {
  const result = await loadProject({ ...paths, environment: {}, kinds: builtinTaskKinds })
  if (!result.project)
    throw new Error(
      JSON.stringify(
        result.diagnostics.map(({ source: _source, ...one }) => one),
        null,
        1,
      ),
    )
  return result.project
}

/** A sandbox with the CRDs of a project. */
export async function startCluster(project: Project, options: Partial<SandboxOptions> = {}): Promise<SandboxCluster> {
  const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, ...options })
  for (const crd of project.crds) await cluster.install(crd)
  return cluster
}

/** An operator at work on a cluster in this process. */
export interface RunningOperator {
  readonly operator: Operator
  /** Resolves when all its work is over. */
  stop(): Promise<void>
}

export function startOperator(
  cluster: Pick<SandboxCluster, 'connection'>,
  project: Project,
  options: Partial<OperatorOptions> = {},
): RunningOperator {
  const { client, mapper, openApi } = cluster.connection
  const operator = new Operator({
    project,
    client,
    mapper,
    openApi,
    clock: systemClock,
    logger: nopLogger,
    namespace: 'default',
    ...options,
  })
  const controller = new AbortController()
  const running = operator.start(controller.signal)
  return {
    operator,
    async stop() {
      controller.abort()
      await running
    },
  }
}

let namespaces = 0

/** A new namespace for one test. */
export async function newNamespace(client: KubeClient, prefix: string): Promise<string> {
  const name = `${prefix}-${++namespaces}`
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'test' })
  return name
}
