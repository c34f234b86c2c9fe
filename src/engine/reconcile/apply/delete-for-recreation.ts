import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { ApiError, isInvalid } from '../../../core/kube/api-error.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { recreationProblem } from '../../role/recreatable-kinds.ts'
import { APPLIED_ANNOTATION, FIELD_MANAGER, uidOf } from '../ownership/marks.ts'
import { isProvenOurs } from '../ownership/ownership.ts'
import { deleteSeen } from '../prune/delete-seen.ts'
import type { ApplyRequest, ApplyTools } from './apply-request.ts'
import { attempt, isOtherObject } from './request-failure.ts'

/** An object that was deleted so that it can be created anew. `isGone` is false while finalizers keep it. */
export interface RemovedObject {
  readonly object: KubeObject
  readonly isGone: boolean
}

/** The name of an object that is created as a dry run only. */
const PROBE = 'rolebook-dry-run'

/**
 * Deletes an object whose immutable fields must change, after a dry run has shown that the server accepts a new one. Returns `undefined`
 * if the error is about something else, or if the object must not be deleted.
 *
 * It deletes nothing while the role wants what it wanted before: then admission has changed the object, and would do so again.
 */
export async function deleteForRecreation(
  { client, caches }: ApplyTools,
  request: ApplyRequest,
  error: unknown,
): Promise<RemovedObject | undefined> {
  const { desired, mapping, signal } = request
  if (!isRefusedChange(error, desired) || recreationProblem(mapping.gvk) !== undefined) return undefined
  const key = keyOf(desired)
  const live = await attempt({ verb: 'get', mapping, key }, () => client.get(mapping.gvk, key, { signal }))
  if (!live || !mayDelete(live, request) || !(await isAcceptable({ client }, request))) return undefined
  const answer = await deleteSeen(client, live, { mapping, signal })
  const isGone = answer === undefined || answer.kind === 'Status'
  if (isGone) caches.removed(mapping.gvk, key, uidOf(live))
  return { object: live, isGone }
}

function isRefusedChange(error: unknown, desired: KubeObject): boolean {
  if (!isInvalid(error)) return false
  const { causes } = error
  if (isOtherObject(error)) return false
  return causes.some(({ field }) => field !== undefined && isSet(desired as JsonValue, field))
}

/** Whether the object sets the value at `field`, such as `spec.ports[0].port`, or a list above it. */
function isSet(object: JsonValue, field: string): boolean {
  let here: JsonValue | undefined = object
  for (const step of field.split(/[.[]/)) {
    if (Array.isArray(here)) return true
    here = isJsonObject(here) ? here[step] : undefined
    if (here === undefined) return false
  }
  return true
}

function mayDelete(live: KubeObject, { desired, owner, installation }: ApplyRequest): boolean {
  if (isTerminating(live) || !isProvenOurs(live, owner, installation)) return false
  return live.metadata.annotations?.[APPLIED_ANNOTATION] !== desired.metadata.annotations?.[APPLIED_ANNOTATION]
}

/** Whether the server would accept the object if there were none of its name. Asks by a dry run. */
async function isAcceptable(
  { client }: Pick<ApplyTools, 'client'>,
  { desired, signal }: ApplyRequest,
): Promise<boolean> {
  const probe = { ...desired, metadata: { ...desired.metadata, name: PROBE } }
  try {
    await client.create(probe, { fieldManager: FIELD_MANAGER, dryRun: true, signal })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
