import { isJsonObject } from '../../core/base/json.ts'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import type { CheckContext } from '../role/check/check-context.ts'

/** Seconds in which an operator that is restarted or has lost its watch sees again what has become of a Job. */
const SEEN_WITHIN = 60

/**
 * A Job that removes itself soon after its end: what has become of it may never be seen. Jobs of a CronJob do not count: the
 * role does not wait for them, nor are they made again for it.
 */
export function warnOfShortLivedJob(context: CheckContext): void {
  const { gvk, body } = context
  const { spec } = body
  if (!gvk || formatGroupKind(gvk) !== 'Job.batch' || !isJsonObject(spec)) return
  const { ttlSecondsAfterFinished: seconds } = spec
  if (typeof seconds !== 'number' || seconds < 0 || seconds >= SEEN_WITHIN) return
  const message = `the Job is removed ${seconds} s after its end, before an operator that is restarted meanwhile sees whether it failed`
  const hint = `write ${SEEN_WITHIN} or more`
  context.report(['spec', 'ttlSecondsAfterFinished'], { severity: 'warning', code: 'RB1138', message, hint })
}
