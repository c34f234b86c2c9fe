import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { Undecided } from '../undecided.ts'
import type { Module } from './module.ts'

/** Conditions and fields that belong to the engine. */
const RESERVED: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled'])

/** `operator_sdk.util.k8s_status`: the status of the resource. */
export const k8sStatus: Module = {
  names: ['k8s_status'],
  collections: ['operator_sdk.util', 'kubernetes.core', 'community.kubernetes'],
  translate(parameters, { name, fields }, { role, names }) {
    const kind = parameters.value('kind')
    const resource = parameters.value('name')
    parameters.value('namespace')
    parameters.value('api_version', 'api', 'version')
    const status = parameters.value('status') ?? {}
    const conditions = parameters.value('conditions')
    parameters.ignore('force', 'replace_lists', 'host')
    parameters.end()
    if ((kind !== role.watch.kind && kind !== '${kind}') || resource !== '${metadata.name}') {
      const hint = '`patch` with a `status` part writes the status of another object'
      throw new Undecided('RB1704', 'the status of another object is written', { hint })
    }
    if (typeof status === 'string') return [{ fields: { ...(name === undefined ? {} : { name }), ...fields, status } }]
    if (!isJsonObject(status))
      throw new Undecided('RB1704', '`status` is not a map', { place: parameters.place('status') })
    if (status.observedGeneration !== undefined) names.note('`observedGeneration` is written by the engine')
    const { observedGeneration: _engine, ...own } = status
    const whole = conditions === undefined ? own : { ...own, conditions: conditionsOf(conditions) }
    return [{ fields: { ...(name === undefined ? {} : { name }), ...fields, status: whole } }]
  },
}

function conditionsOf(value: JsonValue): JsonValue {
  if (!isJsonArray(value)) throw new Undecided('RB1704', '`conditions` is not a list')
  return value.map((condition) => {
    if (!isJsonObject(condition)) throw new Undecided('RB1704', 'a condition is not a map')
    const { type, lastTransitionTime: _engine, ...rest } = condition
    if (RESERVED.has(String(type))) {
      const hint = 'the engine says whether the resource is ready; give yours another name, or leave it out'
      throw new Undecided('RB1704', `the condition \`${type}\` belongs to the engine`, { hint })
    }
    return { type, ...rest } satisfies JsonObject
  })
}
