import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { ProofCase } from './proof-case.ts'
import { patched } from './spec-patch.ts'

/** Lives that a counterexample may cost at most while it is made smaller. */
const MOST_TRIALS = 120

/**
 * The smallest case that was found to fail like the given one: with fewer events, a smaller spec, fewer objects around it. Each
 * smaller case is tried in turn, and the first one that still fails takes its place.
 */
export async function shrinkCase(
  failing: ProofCase,
  fails: (smaller: ProofCase) => Promise<boolean>,
): Promise<ProofCase> {
  let smallest = failing
  let trials = 0
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false
    for (const smaller of smallerCases(smallest)) {
      if (trials++ >= MOST_TRIALS) return smallest
      if (!(await fails(smaller))) continue
      smallest = smaller
      hasShrunk = true
      break
    }
  }
  return smallest
}

/** From those that are much smaller to those that are a little smaller. */
export function* smallerCases(one: ProofCase): Generator<ProofCase> {
  const { events, given, resource } = one
  for (let size = events.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start + size <= events.length; start += size) {
      yield { ...one, events: events.toSpliced(start, size) }
    }
  }
  for (const [index, { kind, step }] of events.entries()) {
    const spec = isJsonObject(step.patch) ? step.patch.spec : undefined
    if (kind !== 'edit' || spec === undefined) continue
    const edited = { ...resource, spec: patched(resource.spec as JsonValue | undefined, spec) } as unknown as KubeObject
    yield { ...one, resource: edited, events: events.toSpliced(index, 1) }
  }
  for (const index of given.keys()) yield { ...one, given: given.toSpliced(index, 1) }
  for (const [index, event] of events.entries()) {
    const { wait, ...step } = event.step
    if (wait !== undefined) yield { ...one, events: events.with(index, { ...event, step }) }
  }
  for (const [index, event] of events.entries()) {
    for (const step of smallerSteps(event.step)) yield { ...one, events: events.with(index, { ...event, step }) }
  }
  for (const spec of smallerValues(resource.spec as JsonValue | undefined)) {
    yield { ...one, resource: { ...resource, spec } as unknown as KubeObject }
  }
}

/** A patch of fewer fields. */
function* smallerSteps(step: JsonObject): Generator<JsonObject> {
  const { patch } = step
  if (!isJsonObject(patch) || !isJsonObject(patch.spec)) return
  for (const spec of smallerValues(patch.spec)) yield { ...step, patch: { ...patch, spec } }
}

/** Values with a field or an item less, here or further down. */
export function* smallerValues(value: JsonValue | undefined): Generator<JsonValue> {
  if (isJsonArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries()) {
      for (const smaller of smallerValues(item)) yield value.with(index, smaller)
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: _left, ...rest } = value
      yield rest
    }
    for (const [key, inner] of Object.entries(value)) {
      for (const smaller of smallerValues(inner)) yield { ...value, [key]: smaller }
    }
  }
}
