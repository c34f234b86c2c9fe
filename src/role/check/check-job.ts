import type { JsonObject, JsonPath } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { formatGroupKind, type GroupKind } from '../../kube/group-version-kind.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Seconds in which an operator that is restarted or has lost its watch sees again what has become of a Job. */
const SEEN_WITHIN = 60

/**
 * A Job that removes itself soon after its end: what has become of it may never be seen. Jobs of a CronJob do not count: the
 * role does not wait for them, nor are they made again for it.
 */
export function warnOfShortLivedJob(
  kind: GroupKind | undefined,
  { spec }: JsonObject,
  { body, texts }: { readonly body: JsonPath; readonly texts: TypedTexts },
): void {
  if (!kind || formatGroupKind(kind) !== 'Job.batch' || !isJsonObject(spec)) return
  const { ttlSecondsAfterFinished: seconds } = spec
  if (typeof seconds !== 'number' || seconds < 0 || seconds >= SEEN_WITHIN) return
  const message = `the Job is removed ${seconds} s after its end, before an operator that is restarted meanwhile sees whether it failed`
  const hint = `write ${SEEN_WITHIN} or more`
  const path = [...body, 'spec', 'ttlSecondsAfterFinished']
  texts.report(path, { severity: 'warning', code: 'RB1138', message, hint })
}
