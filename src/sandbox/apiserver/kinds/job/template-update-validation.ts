import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, immutable } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt } from '../common/fields.ts'

/**
 * Complaints about a changed pod template. It may change in part while the Job is suspended and runs no pods, so that a
 * queue can say where they are to run, and with how much.
 */
export function validateTemplateUpdate(template: JsonObject, oldJob: KubeObject): FieldErrors {
  const old = objectAt(objectAt(oldJob, 'spec'), 'template')
  if (!mayChange(oldJob)) return immutable('spec.template', template, old)
  const spec = objectAt(template, 'spec')
  return immutable('spec.template.spec', spec, withMutableFields(objectAt(old, 'spec'), spec))
}

/** Suspended, and never started or really at rest. */
function mayChange(job: KubeObject): boolean {
  const status = objectAt(job, 'status')
  const isAtRest = itemsAt(status, 'conditions').some((one) => one.type === 'Suspended' && one.status === 'True')
  const isIdle = status.startTime === undefined || isAtRest
  return objectAt(job, 'spec').suspend === true && isIdle && numberAt(status, 'active') === 0
}

/** The old spec with what may change taken from the new one. */
function withMutableFields(old: JsonObject, spec: JsonObject): JsonObject {
  const affinity = affinityOf(old.affinity, spec.affinity)
  const {
    affinity: _affinity,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...kept
  } = old
  return {
    ...kept,
    ...(affinity !== undefined && { affinity }),
    ...taken(spec, ['nodeSelector', 'tolerations', 'schedulingGates']),
    ...withResources('containers', old, spec),
    ...withResources('initContainers', old, spec),
  }
}

/** Only node affinity may change; without any other, all of it may go. */
function affinityOf(old: JsonValue | undefined, given: JsonValue | undefined): JsonValue | undefined {
  const { nodeAffinity: _node, ...others } = isJsonObject(old) ? old : {}
  if (!isJsonObject(given)) return Object.keys(others).length > 0 ? others : undefined
  return { ...others, ...taken(given, ['nodeAffinity']) }
}

/** Resources of the same containers in the same order. */
function withResources(list: string, old: JsonObject, spec: JsonObject): JsonObject {
  const [before, now] = [itemsAt(old, list), itemsAt(spec, list)]
  if (before.length === 0 || before.length !== now.length) return {}
  const changed = before.map((container, index) => {
    const { resources: _resources, ...rest } = container
    const counterpart = now[index] ?? {}
    return counterpart.name === container.name ? { ...rest, ...taken(counterpart, ['resources']) } : container
  })
  return { [list]: changed }
}

function taken(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
