import type { Logger } from '../../../core/base/logger.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { RunReport } from '../../../engine/reconcile/trace/run-trace.ts'
import type { Pass, RenderCluster } from './render-cluster.ts'

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
  let passes = 0
  let last: Pass
  do {
    await cluster.settle()
    last = await cluster.pass(project, logger)
    passes += 1
  } while (last.changed && passes < limit)
  return { settled: !last.changed, runs: last.runs }
}
