import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { sharedHelmRenderer } from '../../src/cli/helm-renderer.ts'
import type { SandboxCluster } from '../../src/cli/sandbox-cluster.ts'
import { loadProject } from '../../src/config/load-project.ts'
import { Operator, type OperatorOptions } from '../../src/operator/operator.ts'
import type { Project } from '../../src/operator/project.ts'
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
  const { client, mapper, openApi, namespace = 'default' } = cluster.connection
  const operator = new Operator({
    project,
    client,
    mapper,
    openApi,
    clock: systemClock,
    logger: nopLogger,
    namespace,
    charts: sharedHelmRenderer(),
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
