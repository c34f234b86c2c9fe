import type { Logger } from '../../../core/base/logger.ts'
import { formatObject } from '../../../core/kube/object.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { ShownObject } from '../render/made-objects.ts'
import { printHeldUp } from '../render/print-rendering.ts'
import { ENDLESS, renderGiven } from '../render/render-given.ts'
import { pickSample, type SampleChoice } from './pick-sample.ts'

/** What a role makes of a sample, as people may see it. */
export interface Preview {
  /** The path of its file. */
  readonly sample: string
  /** The objects in the order of `rolebook render`, then the statuses of the resources. */
  readonly parts: readonly PreviewPart[]
  /** What keeps resources from being ready, a line for each. */
  readonly heldUp: string
  /** Whether no role failed and all came to an end. */
  readonly isGood: boolean
}

export interface PreviewPart extends ShownObject {
  /** `Deployment default/web`, `status of Web default/web`. Parts with hidden names may have the same title. */
  readonly title: string
}

export interface PreviewOptions extends SampleChoice {
  readonly logger: Logger
}

/** Renders a sample of a role. @throws UsageError */
export async function previewOf(project: Project, options: PreviewOptions): Promise<Preview> {
  const { path, objects } = pickSample(project, options)
  const given = { resources: objects, others: [], values: [] }
  const { made, statuses, runs, settled } = await renderGiven(project, given, { logger: options.logger })
  return {
    sample: path,
    parts: [
      ...made.map((one) => ({ ...one, title: formatObject(one.object) })),
      ...statuses.map((object) => ({ object, task: undefined, title: `status of ${formatObject(object)}` })),
    ],
    heldUp: printHeldUp(runs) + (settled ? '' : ENDLESS),
    isGood: settled && runs.every(({ outcome }) => outcome !== 'failed'),
  }
}
