import type { Logger } from '../../base/logger.ts'
import type { Project } from '../../config/project.ts'
import type { RunReport } from '../../reconcile/run-report.ts'
import type { RenderCluster } from './render-cluster.ts'

export interface Rendering {
  /** Whether the last pass changed nothing. */
  readonly settled: boolean
  /** The last run of each resource. */
  readonly runs: readonly RunReport[]
}

/** Runs passes, with a settled cluster before each of them, until one changes nothing or there were `limit`. */
export async function renderPasses(
  cluster: RenderCluster,
  project: Project,
  { logger, limit }: { readonly logger: Logger; readonly limit: number },
): Promise<Rendering> {
  for (let pass = 1; ; pass++) {
    await cluster.settle()
    const { changed, runs } = await cluster.pass(project, logger)
    if (!changed || pass === limit) return { settled: !changed, runs }
  }
}
