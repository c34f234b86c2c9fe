import { isJsonArray, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'

/** Statuses of containers before and after an update. */
export interface Transition {
  readonly now: readonly JsonObject[]
  readonly old: readonly JsonObject[]
}

/** A container that has ended runs again only if its pod lets it. */
export function validateRestarts(
  { now, old }: Transition,
  field: string,
  mayRestart: (name: string, exitCode: number) => boolean,
): FieldErrors {
  return old.flatMap((before, index) => {
    const ended = terminatedOf(before)
    const after = now.find(({ name }) => name === before.name)
    if (!ended || !after || terminatedOf(after)) return []
    if (mayRestart(textAt(before, 'name'), numberAt(ended, 'exitCode'))) return []
    return [forbidden(`${field}[${index}].state`, 'may not be transitioned to non-terminated state')]
  })
}

function terminatedOf(status: JsonObject): JsonObject | undefined {
  const { terminated } = objectAt(status, 'state')
  return isJsonObject(terminated) ? terminated : undefined
}

/** Which containers of a list in the spec of a pod may run again. */
export function restartsOf(spec: JsonObject, list: string): (name: string, exitCode: number) => boolean {
  return (name, exitCode) => {
    if (restartsAll(spec)) return true
    const container = itemsAt(spec, list).find((each) => each.name === name)
    return container !== undefined && shouldRestart(container, exitCode, textAt(spec, 'restartPolicy'))
  }
}

/** Whether the end of one container may restart all of them. */
function restartsAll(spec: JsonObject): boolean {
  return ['containers', 'initContainers'].some((list) =>
    itemsAt(spec, list).some((container) =>
      itemsAt(container, 'restartPolicyRules').some(({ action }) => action === 'RestartAllContainers'),
    ),
  )
}

/** What a container says counts more than what its pod says. */
function shouldRestart(container: JsonObject, exitCode: number, ofPod: string): boolean {
  const { restartPolicy = ofPod } = container
  const rule = itemsAt(container, 'restartPolicyRules').find(({ exitCodes }) => isMet(exitCodes, exitCode))
  if (rule && container.restartPolicy !== undefined) return true
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0)
}

function isMet(requirement: JsonObject[string], exitCode: number): boolean {
  if (!isJsonObject(requirement)) return false
  const { operator, values } = requirement
  const isListed = isJsonArray(values) && values.includes(exitCode)
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed
}
