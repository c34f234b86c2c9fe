import type { Logger } from '../../../core/base/logger.ts'
import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { UsageError } from '../command.ts'
import type { Change, ShownObject } from './made-objects.ts'
import { statusOf } from './print-rendering.ts'
import { RenderCluster } from './render-cluster.ts'
import { type Rendering, renderPasses } from './render-passes.ts'
import { type SetValue, setValue } from './set-values.ts'

export interface Given {
  readonly resources: readonly KubeObject[]
  /** Objects that exist beside them. */
  readonly others: readonly KubeObject[]
  /** Values that are set in the specs of the resources. */
  readonly values: readonly SetValue[]
}

export interface RenderOptions {
  readonly logger: Logger
  /** The most passes. Defaults to `MANY_PASSES`. */
  readonly limit?: number | undefined
  /** Whether the resources are deleted afterwards: then only what their `finalize` tasks make is in the result. */
  readonly finalize?: boolean | undefined
  /** Whether the engine's labels, annotations and owner references are shown. */
  readonly marks?: boolean | undefined
}

/** What the roles of a project have made of given objects, as people may see it. */
export interface Rendered extends Rendering {
  readonly made: readonly ShownObject[]
  /** The resources that are left, each with its status alone. */
  readonly statuses: readonly KubeObject[]
  readonly changes: readonly Change[]
}

/** Without a limit there is one all the same, which no sound role reaches. */
export const MANY_PASSES = 20
export const ENDLESS = `objects still change after ${MANY_PASSES} passes\n`

/** Runs the operator over given objects in a cluster that ends with the rendering. @throws UsageError */
export async function renderGiven(project: Project, given: Given, options: RenderOptions): Promise<Rendered> {
  const { logger, limit = MANY_PASSES } = options
  const cluster = await RenderCluster.start(logger)
  try {
    const resources = await furnish(cluster, project, given)
    const render = (): Promise<Rendering> => renderPasses(cluster, project, { logger, limit })
    const live = await render()
    const rendering = options.finalize ? await finalize(cluster, resources, render) : live
    const left = resources.flatMap((resource) => cluster.live(resource) ?? [])
    const statuses = left.flatMap((resource) => statusOf(resource) ?? [])
    const { made } = cluster
    return { ...rendering, made: made.shown(options.marks ?? false), statuses, changes: made.changes }
  } finally {
    await cluster.stop()
  }
}

/** What happens when the resources are deleted. */
async function finalize(
  cluster: RenderCluster,
  resources: readonly KubeObject[],
  render: () => Promise<Rendering>,
): Promise<Rendering> {
  cluster.made.beginLast()
  for (const resource of resources) await cluster.remove(resource)
  return render()
}

/** Puts everything that is given into the cluster. Returns the resources that roles look after, as they are there. */
async function furnish(cluster: RenderCluster, project: Project, given: Given): Promise<readonly KubeObject[]> {
  const { resources, others, values } = given
  const kinds = new Set(project.watches.map(({ watch }) => formatGroupKind(watch.gvk)))
  const isWatched = (object: KubeObject): boolean => kinds.has(formatGroupKind(gvkOf(object)))
  if (values.length > 0 && !resources.some(isWatched)) throw new UsageError('--set: no given object has a role')
  await cluster.install(...project.crds, ...[...others, ...resources].filter(isCrd))
  for (const object of others) if (!isCrd(object)) await cluster.give(object)
  const live: KubeObject[] = []
  for (const object of resources) {
    if (isCrd(object)) continue
    if (!isWatched(object)) await cluster.give(object)
    else live.push(await cluster.give(values.reduce(setValue, object)))
  }
  return live
}

function isCrd({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition'
}
