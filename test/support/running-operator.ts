import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { Operator, type OperatorOptions } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import type { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'

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
